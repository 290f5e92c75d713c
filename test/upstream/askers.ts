// Clients, told apart by their addresses.

import type { Client, Requester } from '../../src/directory/requester.ts';

/** The keys of jobs begin with `job` or `large job`. */
export function clientAt(key: string): Client {
  const job = key.startsWith('job') ? 'little' : key.startsWith('large job') ? 'much' : undefined;
  return { key, budget: null, ...(job && { job }) };
}

export function askerAt(key: string): Requester {
  return { requestId: `of ${key}`, client: clientAt(key) };
}
