// Asks the gateway in this very process.

import { type Ask, graphqlRequest, readAnswer } from './ask.ts';

/** No connection is opened to it. */
const HERE = 'http://localhost/graphql';

/** @param fetch of the App */
export function askInProcess(fetch: (request: Request) => Promise<Response>): Ask {
  return async (query, variables, signal) =>
    readAnswer(await fetch(graphqlRequest(HERE, { query, variables }, signal)), HERE);
}
