// Which requests are GraphQL's, and which are the REST face's.

import type { IncomingMessage, RequestListener } from 'node:http';
import { type Face, faceOf } from './face-of.ts';
import { rawTarget } from './rest/rest-listener.ts';

/** What Yoga answers: GraphQL, and the pages beside it. */
const YOGA_FACES: ReadonlySet<Face> = new Set<Face>(['graphql', 'other']);

/** Everything that is not the gateway's own is a name to the REST face. */
export function createListener(graphql: RequestListener, rest: RequestListener): RequestListener {
  return (request, response) => {
    if (!hasUsableHost(request)) {
      response
        .writeHead(400, { 'Content-Type': 'text/plain;charset=utf-8' })
        .end('The Host header is no host.\n');
      return;
    }
    const target = rawTarget(request.url ?? '/');
    const [path = ''] = target.split('?');
    if (!YOGA_FACES.has(faceOf(path))) {
      rest(request, response);
      return;
    }
    // Yoga knows no HEAD and no targets in absolute form. Node itself writes no body in answer to a HEAD.
    if (request.method === 'HEAD') request.method = 'GET';
    request.url = target;
    graphql(request, response);
  };
}

/** Yoga makes a URL of it. */
function hasUsableHost({ headers: { host = 'localhost' } }: IncomingMessage): boolean {
  return URL.canParse(`http://${host}`);
}
