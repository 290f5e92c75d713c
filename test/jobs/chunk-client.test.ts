// A job yields to all other clients, and a job with much work takes a smaller share.

import { expect, test } from 'vitest';
import type { Client } from '../../src/directory/requester.ts';
import type { Router } from '../../src/http/request/router.ts';
import type { JobKey } from '../../src/jobs/job-id.ts';
import { createSendForChunk, type LookUpRate } from '../../src/jobs/look-up-rate.ts';
import { CHUNK_KINDS } from '../../src/jobs/queue/chunk-kinds.ts';

test('a job is the client of its chunks, and counts as a job with little work for its first chunk', async () => {
  const clients: Client[] = [];
  const fetch: Router['fetch'] = async (request, clientsOf) => {
    clients.push(clientsOf?.identify(request as never) as Client);
    return Response.json({ data: {} });
  };
  const budget = { take: async () => {} };
  const rate = { budgetOf: () => budget } as unknown as LookUpRate;
  const send = createSendForChunk(fetch, rate);
  for (const kind of CHUNK_KINDS) {
    await send(
      'a job' as JobKey,
      kind,
      new AbortController().signal,
    )({ query: '{ __typename }' } as never, undefined as never);
  }
  expect(clients.map(({ job }) => job)).toEqual(['little', 'much', 'much']);
  expect(new Set(clients.map(({ key }) => key)).size).toBe(2);
});
