import { expect, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { answering, failureOf, handleName, notFound, startProxy } from './proxy-under-test.ts';

test('the metrics count requests by face and outcome, and observe their time', async () => {
  const name = handleName('10.5555/1');
  const metrics = createMetrics();
  const { directory, server } = await startProxy(notFound, { metrics });
  await directory.resolve(name);
  server.behave(answering(500, JSON.stringify({ responseCode: 2, handle: name })));
  await directory.resolve(name);
  server.behave(answering(200, '{}'));
  await failureOf(directory.resolve(name));
  await Promise.allSettled(directory.whichRa([name]));
  const controller = new AbortController();
  const reason = new Error('the client has gone');
  server.behave(() => controller.abort(reason));
  await expect(directory.resolve(name, { signal: controller.signal })).rejects.toBe(reason);
  const values = async () => (await metrics.directoryRequests.get()).values;
  await expect.poll(values).toHaveLength(5);
  expect((await values()).map(({ labels, value }) => [labels.face, labels.outcome, value])).toEqual([
    ['handles', 'ok', 1],
    ['handles', 'UPSTREAM_UNAVAILABLE', 1],
    ['handles', 'UPSTREAM_BAD_RESPONSE', 1],
    ['doiRA', 'ok', 1],
    ['handles', 'aborted', 1],
  ]);
  expect(await metrics.registry.metrics()).toContain(
    'doi_gateway_directory_request_seconds_count{face="handles"} 4',
  );
});
