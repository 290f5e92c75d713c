import { expect, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { settled } from '../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';
import { answering, failureOf, handleName, notFound, startProxy } from './proxy-under-test.ts';

const NAME = handleName('10.5555/1');

test('running look-ups fail at once when the directory is closed, and later look-ups fail too', async () => {
  const time = createManualTime();
  const { directory, server } = await startProxy(() => {}, { time, retries: 2 });
  const running = failureOf(directory.resolve(NAME));
  await expect.poll(() => server.targets.length).toBe(1);
  await directory.close();
  const closed = { code: 'UPSTREAM_UNAVAILABLE', cause: new Error('the directory was closed') };
  expect(await running).toMatchObject(closed);
  expect(await failureOf(directory.resolve(NAME))).toMatchObject(closed);
  expect(server.targets).toHaveLength(1);
});

test('look-ups leave no alarms after their end', async () => {
  const time = createManualTime();
  const { directory } = await startProxy(notFound, { time });
  for (let lookUps = 0; lookUps < 3; lookUps += 1) await directory.resolve(NAME);
  // The one alarm of the silence watch ends when it rings.
  expect(time.pending()).toBe(1);
});

test('no probe is sent after the directory is closed during an outage', async () => {
  const time = createManualTime();
  const metrics = createMetrics();
  const probes = async () => {
    const { values } = await metrics.directoryRequests.get();
    return values.filter(({ labels }) => labels.face === 'probe').reduce((sum, { value }) => sum + value, 0);
  };
  const { directory, server } = await startProxy(answering(200), { time, metrics });
  await server.close();
  const lookUp = failureOf(directory.resolve(NAME));
  await expect.poll(() => directory.status().available).toBe(false);
  await directory.close();
  await lookUp;
  const before = await probes();
  for (let seconds = 0; seconds < 10; seconds += 1) {
    time.advance(1_000);
    await settled();
  }
  expect(await probes()).toBe(before);
});
