// Hive Gateway estimates operations from the SDL with costs.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSUMED_INPUTS } from '../../src/schema/federation/costs.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import {
  createTestGateway,
  type GraphqlResult,
  type ListeningGateway,
  startGateway,
} from '../support/gateway.ts';
import { HIVE_COMMAND, type Router, startRouter, withoutRouter } from './router.ts';

const directory = createFakeDirectory();
let gateway: ListeningGateway;
let hive: Router;
let folder: string;

const INPUTS = JSON.stringify(Array.from({ length: ASSUMED_INPUTS }, (_, index) => `10.5555/${index}`));

const LOOK_UPS =
  'name record { status values { type text } } registrationAgency { name } redirect { url via }';

type Estimated = GraphqlResult<unknown> & { extensions: { cost: { estimated: number } } };

/** The price of an operation in the error of the gateway. */
async function ownPrice(query: string): Promise<number> {
  const strict = await createTestGateway({ directory, limits: { complexity: 1 } });
  const { errors } = await strict.query(query);
  await strict.close();
  return Number(/costs (\d+)/.exec(errors?.[0]?.message ?? '')?.[1]);
}

describe.skipIf(withoutRouter('hive'))('Hive Gateway', () => {
  beforeAll(async () => {
    gateway = await startGateway({ directory });
    folder = await mkdtemp(join(tmpdir(), 'doi-gateway-costs-'));
    const sdl = await (await fetch(`${gateway.url}/schema-with-costs.graphql`)).text();
    const composed = composeServices([{ name: 'doi', url: `${gateway.url}/graphql`, typeDefs: parse(sdl) }]);
    const supergraph = join(folder, 'supergraph.graphql');
    await writeFile(supergraph, composed.supergraphSdl ?? '');
    hive = await startRouter('hive', (port) => [
      ...[HIVE_COMMAND, 'supergraph', supergraph],
      ...['--config-path', 'costs.config.mjs', '--host', '127.0.0.1', '--port', port],
    ]);
  }, 60_000);

  afterAll(async () => {
    await hive?.stop();
    await gateway?.close();
    await rm(folder, { recursive: true });
  });

  test.each([
    `doi(input: "10.1000/182") { ${LOOK_UPS} }`,
    `dois(inputs: ${INPUTS}) { ${LOOK_UPS} }`,
    `dois(inputs: ${INPUTS}) { name urn url }`,
    `parseDois(inputs: ${INPUTS}) { problem { code } doi { warnings { code repaired { name } } } }`,
    `doiEquivalenceClasses(inputs: ${INPUTS}) { classes { doi { name } members { input } } }`,
  ])('estimates about the price of %.40s', async (field) => {
    const query = `{ ${field} }`;
    const { errors, extensions } = (await hive.query(query)) as Estimated;
    expect(errors).toBeUndefined();
    const price = await ownPrice(query);
    expect(extensions.cost.estimated).toBeGreaterThanOrEqual(price / 2);
    expect(extensions.cost.estimated).toBeLessThanOrEqual(price * 2);
  });

  test('refuses what would be too expensive for 1,000 inputs', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `r${at}: redirect { url }`).join(' ');
    const { errors } = await hive.query(`{ dois(inputs: ["10.5555/1"]) { ${many} } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE' } }]);
  });
});
