// The gateway keeps no memory for random operations after they complete, fail or are aborted.

import { expect, test } from 'vitest';
import { heldIn, walk } from '../../../checks/fuzz/walk.ts';

test('the gateway keeps no bytes and no requests after random operations with failures on all endpoints', async () => {
  const walked = await walk({ seed: 1, count: 300 });
  try {
    await expect.poll(async () => heldIn(await walked.readMetrics())).toEqual([]);
    // On a busy machine, a client can also reach its timeout: 'late'.
    const endings = [...walked.endings.keys()].filter((ending) => ending !== 'late');
    expect(endings.toSorted()).toEqual([
      'client closed: received',
      'client closed: sent',
      'client closed: time',
      'closed',
    ]);
  } finally {
    await walked.close();
  }
}, 60_000);

test('the check reports reserved bytes and requests in flight, except the request for metrics', () => {
  const metrics = (bytes: number, inFlight: number): string =>
    `doi_gateway_reserved_bytes ${bytes}\ndoi_gateway_http_requests_in_flight{face="other"} 1\ndoi_gateway_http_requests_in_flight{face="graphql"} ${inFlight}\n`;
  expect(heldIn(metrics(0, 0))).toEqual([]);
  expect(heldIn(metrics(7, 0))).toEqual(['doi_gateway_reserved_bytes 7']);
  expect(heldIn(metrics(-7, 1))).toEqual([
    'doi_gateway_reserved_bytes -7',
    'doi_gateway_http_requests_in_flight 2',
  ]);
});
