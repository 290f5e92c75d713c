// The REST face on node:http. A `Request` would collapse dot segments, so the target is taken raw.

import { setMaxListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import type { RestFace } from './face.ts';

export function createRestListener(face: RestFace): RequestListener {
  return async (request, response) => {
    const gone = new AbortController();
    // Every name of the request waits on it; to Node more than ten listeners look like a leak.
    setMaxListeners(0, gone.signal);
    response.once('close', () => gone.abort());
    const { status, headers, body } = await face({
      method: request.method ?? 'GET',
      target: rawTarget(request.url ?? '/'),
      header: (name) => [request.headers[name] ?? null].flat()[0] ?? null,
      signal: gone.signal,
    });
    // A status without content has no length either (RFC 9110, section 8.6).
    const length = status === 204 ? {} : { 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(status, { ...headers, ...length });
    // Node itself leaves out the body of an answer to HEAD.
    response.end(body);
  };
}

/** Path and query, also of a target in absolute form. */
export function rawTarget(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}
