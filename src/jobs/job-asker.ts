// On whose behalf the look-ups of a job are made: a client of its own that gives way to all others.

import { type Ask, graphqlRequest, readAnswer } from '../ask/ask.ts';
import { givingWay } from '../directory/asker.ts';
import type { Clients, HttpClient } from '../http/clients/clients.ts';
import type { Router } from '../http/router.ts';
import type { JobKey } from './job-id.ts';
import type { LookUpRate } from './look-up-rate.ts';

/** Its names wait for their turn in the fleet's budget; who stops the job ends it. */
const OPERATION_MS = 3_600_000;

const HERE = 'http://localhost/graphql';

export function createJobAsker(fetch: Router['fetch'], rate: LookUpRate) {
  return (key: JobKey, signal: AbortSignal): Ask => {
    const budget = { ...rate.budgetOf(key, signal), headers: [] };
    const client: HttpClient = { key: givingWay(key), budget, refusal: null, hasKey: false };
    const clients: Clients = {
      matter: false,
      haveKeys: false,
      own: { operationMs: OPERATION_MS },
      identify: () => client,
    };
    return async (query, variables, until) => {
      const request = graphqlRequest(HERE, { query, variables }, until);
      return readAnswer(await fetch(request, clients), HERE);
    };
  };
}
