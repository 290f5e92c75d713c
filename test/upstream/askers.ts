// Clients, told apart by their addresses.

import type { Asker } from '../../src/directory/asker.ts';

export function askerAt(address: string): Asker {
  return { requestId: `of ${address}`, client: { key: address, budget: null } };
}
