// Which requests are GraphQL's, and which are the REST face's.

import type { IncomingMessage, RequestListener } from 'node:http';
import { rawTarget } from './rest/listener.ts';

const GRAPHQL_PATHS = /^\/(?:$|graphql\/?$|graphiql\/|(?:healthz|readyz|metrics)$)/;

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
    if (!GRAPHQL_PATHS.test(path)) {
      rest(request, response);
      return;
    }
    // Yoga knows no HEAD and no targets in absolute form. Node writes no body to a request that came as one, whatever it is answered with.
    if (request.method === 'HEAD') request.method = 'GET';
    request.url = target;
    graphql(request, response);
  };
}

/** Yoga makes a URL of it. */
function hasUsableHost({ headers: { host = 'localhost' } }: IncomingMessage): boolean {
  return URL.canParse(`http://${host}`);
}
