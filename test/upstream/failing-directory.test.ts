// Failures of many names open the circuit, and an answered probe closes it. Failures of single names do not open it.

import { expect, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { wireValue } from '../handle/wire.ts';
import { type Behaviour, requestedNames, sendJson } from '../support/directory-server.ts';
import { createManualTime } from './manual-time.ts';
import {
  answering,
  closesConnection,
  failureOf,
  HTML,
  handleName,
  notFound,
  startProxy,
} from './proxy-under-test.ts';

const names = Array.from({ length: 200 }, (_, index) => handleName(`10.5555/${index}`));
const [first = expect.unreachable()] = names;
const directoryError: Behaviour = (request, response) =>
  sendJson(response, 500, { responseCode: 2, handle: requestedNames(request).names[0] });

test('when a probe is answered, all waiting look-ups are sent in their order', async () => {
  const time = createManualTime();
  const options = { time, random: () => 1, maxConnections: 1 };
  const { directory, server } = await startProxy(undefined, options);
  server.behaveAlways(closesConnection);
  for (const name of names.slice(0, 5)) await failureOf(directory.resolve(name));
  await expect.poll(() => directory.status().available).toBe(false);
  const sent = server.targets.length;
  const records = names.slice(0, 100).map(async (name) => (await directory.resolve(name)).status);
  time.advance(499);
  expect(server.targets).toHaveLength(sent);
  server.behave(notFound);
  time.advance(1);
  expect(new Set(await Promise.all(records))).toEqual(new Set(['HANDLE_NOT_FOUND']));
  expect(server.targets.slice(sent)).toEqual(names.slice(0, 100).map((name) => `/api/handles/${name}`));
});

test('attempts during an outage do not count as retries', async () => {
  const time = createManualTime();
  const sockets: { destroy(): void }[] = [];
  const hangs: Behaviour = ({ socket }) => void sockets.push(socket);
  const { directory, server } = await startProxy(hangs, { time, random: () => 1, retries: 1 });
  const record = directory.resolve(handleName('10.5555/held'));
  await expect.poll(() => sockets.length).toBe(1);
  server.behaveAlways(closesConnection);
  const failed = Promise.allSettled(names.slice(0, 5).map((name) => directory.resolve(name)));
  await expect.poll(() => directory.status().available).toBe(false);
  sockets[0]?.destroy();
  await time.slept(6);
  server.behave(answering(500, '', HTML));
  time.advance(500);
  // The five names have now used both attempts, and `record` only its first.
  for (const { status } of await failed) expect(status).toBe('rejected');
  await time.slept(7);
  server.behave(notFound);
  time.advance(500);
  expect(await record).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
});

test.each<[string, Behaviour]>([
  ['closed connections', closesConnection],
  ['HTTP status 500', answering(500, '', HTML)],
  ['response code 2', directoryError],
])(
  '%s for 200 names of one prefix causes one probe, and names of other prefixes are answered',
  async (_, behaviour) => {
    const metrics = createMetrics();
    const failsForPrefix: Behaviour = (request, response) => {
      const isOfPrefix = requestedNames(request).names[0]?.startsWith('10.5555/');
      (isOfPrefix ? behaviour : notFound)(request, response);
    };
    const { directory, server } = await startProxy(failsForPrefix, { metrics, time: createManualTime() });
    await Promise.allSettled(names.map((name) => directory.resolve(name)));
    const other = await directory.resolve(handleName('10.1234/other'));
    expect(other).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
    expect(server.probes).toHaveLength(1);
    expect((await metrics.directoryCircuit.get()).values.map(({ value }) => value)).toEqual([0]);
  },
);

test('a probe looks up the configured name and a name that was found recently', async () => {
  const { directory, server } = await startProxy(
    (request, response) => {
      const handle = requestedNames(request).names[0];
      sendJson(response, 200, { responseCode: 1, handle, values: [wireValue()] });
    },
    { probesAtStart: true, probeName: handleName('10.77/always') },
  );
  await expect.poll(() => server.probes).toEqual(['/api/handles/10.77/always?type=HS_SERV']);
  await directory.resolve(first);
  server.behave(closesConnection);
  for (const name of names.slice(0, 5)) await failureOf(directory.resolve(name));
  await expect
    .poll(() => server.probes.slice(1))
    .toEqual(['/api/handles/10.77/always?type=HS_SERV', `/api/handles/${first}?type=HS_SERV`]);
});

test('a probe fails if its response reports an error of the directory', async () => {
  const { directory, server } = await startProxy(undefined, { time: createManualTime() });
  server.behaveAlways(directoryError);
  await Promise.all(names.slice(0, 5).map((name) => directory.resolve(name)));
  await expect
    .poll(() => directory.status())
    .toEqual({ available: false, reached: false, problem: 'OUTAGE' });
});
