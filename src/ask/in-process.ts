// Asks the gateway in this very process.

import { type Ask, graphqlRequest, readAnswer } from './ask.ts';

/** No connection is opened to it. */
const HERE = 'http://localhost/graphql';

/** @param fetch of the App */
export function askInProcess(fetch: (request: Request) => Promise<Response>): Ask {
  return async (query, variables, signal) => {
    const response = await fetch(graphqlRequest(HERE, { query, variables }, signal));
    // What is answered to whoever has gone says nothing of the names.
    signal?.throwIfAborted();
    return readAnswer(response, HERE);
  };
}
