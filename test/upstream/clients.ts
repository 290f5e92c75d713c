// Clients and their requesters.

import type { Client, Requester } from '../../src/directory/requester.ts';

/** Keys of small jobs begin with `job`, keys of large jobs with `large job`. */
export function clientAt(key: string): Client {
  const job = key.startsWith('job') ? 'little' : key.startsWith('large job') ? 'much' : undefined;
  return { key, budget: null, ...(job && { job }) };
}

export function requesterAt(key: string): Requester {
  return { requestId: `of ${key}`, client: clientAt(key) };
}
