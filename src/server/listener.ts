// Which requests are GraphQL's, and which are the REST face's.

import type { RequestListener } from 'node:http';
import { rawTarget } from './rest/listener.ts';

const GRAPHQL_PATHS = /^\/(?:$|graphql\/?$|graphiql\/|(?:healthz|readyz|metrics)$)/;

/** Everything that is not the gateway's own is a name to the REST face. */
export function createListener(graphql: RequestListener, rest: RequestListener): RequestListener {
  return (request, response) => {
    const [path = ''] = rawTarget(request.url ?? '/').split('?');
    const listener = GRAPHQL_PATHS.test(path) ? graphql : rest;
    return listener(request, response);
  };
}
