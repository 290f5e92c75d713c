// Clients, told apart by their addresses.

import type { Requester } from '../../src/directory/requester.ts';

export function askerAt(address: string): Requester {
  return { requestId: `of ${address}`, client: { key: address, budget: null } };
}
