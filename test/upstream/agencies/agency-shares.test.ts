// Clients share the services of agencies: a client with few names does not wait for a client with many.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { CSL } from '../../../src/works/metadata-format.ts';
import { agencyWorks } from '../../support/agencies/agency-works.ts';
import { startDirectoryServer } from '../../support/directory-server.ts';
import { requesterAt } from '../clients.ts';
import { createManualTime } from '../manual-time.ts';
import { answering, createProxyAt, handleName } from '../proxy-under-test.ts';
import { startAgencyGateway } from './agency-gateway.ts';

test('one name is answered soon while another client looks up 1,000 names at the same service', async () => {
  const NAMES = 1_000;
  const CONNECTIONS = 4;
  const work = answering(200, '{"title":"T"}', { 'content-type': 'application/vnd.citationstyles.csl+json' });
  const held: (() => void)[] = [];
  const agency = await startDirectoryServer((request, response) => {
    held.push(() => work(request, response));
  });
  const proxy = await startDirectoryServer((request, response) => {
    answering(302, '', { location: `${agency.url.origin}${request.url}` })(request, response);
  });
  const { directory } = createProxyAt(proxy.url, {
    metadataHosts: new Set([agency.url.host]),
    maxConnections: CONNECTIONS,
    // The clock stands still, so no slot is taken back.
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
  const lookUps = Promise.allSettled(
    Array.from({ length: NAMES }, async (_, at) => {
      await describe(`many-${at}`, '127.0.0.1');
      many += 1;
    }),
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
  await lookUps;
});

test.each(['Crossref', 'DataCite'] as const)(
  'while a client looks up 1,000 titles of %s, each title of another client takes at most two seconds',
  async (agency) => {
    const many = agencyWorks({ count: 1_000, agency });
    const few = agencyWorks({ count: 12, agency, firstNumber: 1_000 });
    const { apis, startLookUp, gateway, time } = await startAgencyGateway([...many, ...few]);
    const waits: number[] = [];
    async function lookUpFew(): Promise<void> {
      for (const { name, title } of few) {
        await time.sleep(700);
        const began = time.now();
        const requester = requesterAt('127.0.0.2');
        const answer = await gateway.app.directory.describe?.(handleName(name), CSL, { requester });
        expect(answer?.content).toMatchObject({ title });
        waits.push(time.now() - began);
      }
    }
    await time.drive(Promise.all([startLookUp(many), lookUpFew()]));
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_000);
    expect(apis.breaches).toEqual([]);
  },
);
