// The requests of tests to /graphql, written to the file of RECORD_OPERATIONS: one line of JSON for each request.

import { appendFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { App } from '../../src/app.ts';

/** A request that can be sent again. */
export interface RecordedOperation {
  readonly method: string;
  /** the headers that can change the response */
  readonly headers: Readonly<Record<string, string>>;
  /** the part after the `?` */
  readonly query: string;
  readonly body: string | null;
}

const HEADERS = ['accept', 'content-type', 'content-encoding', 'if-none-match', 'cache-control'];

/** Longer requests test bounds, and have their own tests. */
export const MAX_RECORDED_BYTES = 10_000;

const file = process.env['RECORD_OPERATIONS'];

/** The same app, which records its requests if RECORD_OPERATIONS is set. */
export function recorded(app: App): App {
  if (!file) return app;
  return { ...app, fetch: recordedFetch(app.fetch, file), listener: recordedListener(app.listener, file) };
}

function recordedFetch(fetch: App['fetch'], to: string): App['fetch'] {
  return async (request) => {
    const url = new URL(request.url);
    if (isGraphql(url.pathname)) {
      const bytes = request.body === null ? null : Buffer.from(await request.clone().arrayBuffer());
      write(to, request.method, (name) => request.headers.get(name), url.search.slice(1), bytes);
    }
    return fetch(request);
  };
}

function recordedListener(listener: RequestListener, to: string): RequestListener {
  return (request, response) => {
    const [path = '', ...query] = (request.url ?? '').split('?');
    if (isGraphql(path)) {
      const chunks: Buffer[] = [];
      watchEvents(request, (event, chunk) => {
        if (event === 'data') chunks.push(chunk as Buffer);
      });
      response.once('close', () => {
        const header = (name: string) => [request.headers[name] ?? []].flat()[0];
        const bytes = request.method === 'POST' ? Buffer.concat(chunks) : null;
        write(to, request.method ?? 'GET', header, query.join('?'), bytes);
      });
    }
    listener(request, response);
  };
}

/** A listener for `data` would make the body flow before the gateway reads it. */
function watchEvents(
  request: IncomingMessage,
  watch: (event: string | symbol, argument: unknown) => void,
): void {
  const emit = request.emit.bind(request);
  request.emit = (event: string, ...rest: unknown[]) => {
    watch(event, rest[0]);
    return emit(event, ...rest);
  };
}

function isGraphql(path: string): boolean {
  return /^\/graphql\/?$/.test(path);
}

function write(
  to: string,
  method: string,
  header: (name: string) => string | null | undefined,
  query: string,
  bytes: Buffer | null,
): void {
  if (query.length + (bytes?.length ?? 0) > MAX_RECORDED_BYTES) return;
  const body = bytes?.toString() ?? null;
  // JSON Lines hold only text.
  if (bytes && !Buffer.from(body ?? '').equals(bytes)) return;
  const headers = Object.fromEntries(
    HEADERS.flatMap((name) => {
      const value = header(name);
      return value && value.length < 1_000 ? [[name, value]] : [];
    }),
  );
  const operation: RecordedOperation = { method, headers, query, body };
  appendFileSync(to, `${JSON.stringify(operation)}\n`);
}
