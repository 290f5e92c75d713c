// Clients share the service of an agency: who asks for much does not hold up who asks for little.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { CSL } from '../../../src/works/metadata-format.ts';
import { startDirectoryServer } from '../../support/directory-server.ts';
import { requesterAt } from '../clients.ts';
import { createManualTime } from '../manual-time.ts';
import { answering, createProxyAt, handleName } from '../proxy-under-test.ts';

const WORK = answering(200, '{"title":"T"}', { 'content-type': 'application/vnd.citationstyles.csl+json' });
const NAMES = 1_000;
const CONNECTIONS = 4;

test('one name is answered in its turn, beside 1,000 names of another client at one service', async () => {
  const held: (() => void)[] = [];
  const agency = await startDirectoryServer((request, response) => {
    held.push(() => WORK(request, response));
  });
  const proxy = await startDirectoryServer((request, response) => {
    answering(302, '', { location: `${agency.url.origin}${request.url}` })(request, response);
  });
  const { directory } = createProxyAt(proxy.url, {
    metadataHosts: new Set([agency.url.host]),
    maxConnections: CONNECTIONS,
    // It stands still: no slot is taken back.
    time: createManualTime(),
  });
  onTestFinished(async () => {
    await directory.close();
    await agency.close();
    await proxy.close();
  });
  async function describe(name: string, address: string): Promise<void> {
    await directory.describe?.(handleName(`10.5555/${name}`), CSL, { requester: requesterAt(address) });
  }

  let many = 0;
  const asked = Promise.allSettled(
    Array.from({ length: NAMES }, (_, at) =>
      describe(`many-${at}`, '127.0.0.1').then(() => {
        many += 1;
      }),
    ),
  );
  while (proxy.targets.length < NAMES || held.length < CONNECTIONS) await nextTurn();
  let isAnswered = false;
  const one = describe('one', '127.0.0.2').then(() => {
    isAnswered = true;
  });
  while (proxy.targets.length < NAMES + 1) await nextTurn();
  for (let turns = 0; turns < 100; turns += 1) await nextTurn();
  // From now on the service answers one request after the other.
  while (!isAnswered) {
    held.shift()?.();
    await nextTurn();
  }
  await one;
  expect(agency.targets.indexOf('/10.5555/one')).toBeLessThan(3 * CONNECTIONS);
  expect(many).toBeLessThan(NAMES / 2);
  await directory.close();
  await asked;
});
