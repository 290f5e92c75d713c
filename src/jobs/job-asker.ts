// On whose behalf the look-ups of a job are made: a client of its own that gives way to all others.

import { askInProcess } from '../ask/in-process.ts';
import { givingWay } from '../directory/asker.ts';
import type { Clients, HttpClient } from '../http/clients/clients.ts';
import type { Router } from '../http/router.ts';
import type { AskForChunk } from './bulk-work.ts';
import type { LookUpRate } from './look-up-rate.ts';

/** Its names wait for their turn in the fleet's budget; who stops the job ends it. */
const OPERATION_MS = 3_600_000;

export function createJobAsker(fetch: Router['fetch'], rate: LookUpRate): AskForChunk {
  return (key, kind, signal) => {
    const budget = { ...rate.budgetOf(key, kind, signal), headers: [] };
    const asks = givingWay(key, kind === 'first' ? 'little' : 'much');
    const client: HttpClient = { key: asks, budget, refusal: null, hasKey: false };
    const clients: Clients = {
      matter: false,
      haveKeys: false,
      own: { operationMs: OPERATION_MS },
      identify: () => client,
    };
    return askInProcess((request) => fetch(request, clients));
  };
}
