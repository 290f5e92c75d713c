// @defer for generated types and for Relay, as docs/clients.md shows it.

import { readFileSync } from 'node:fs';
import { buildClientSchema, buildSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { requestParts } from '../graphql/incremental/parts.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway, startGateway } from '../support/gateway.ts';
import { runShown } from './shown-code.ts';

const file = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

test('schema.graphql and defer.graphql together have the directives of the introspection', async () => {
  const gateway = await createTestGateway();
  onTestFinished(gateway.close);
  const { data } = await gateway.query<IntrospectionQuery>(getIntrospectionQuery());
  const served = buildClientSchema(data);
  const written = buildSchema(file('schema.graphql') + file('defer.graphql'), { assumeValidSDL: true });
  for (const name of ['defer', 'stream']) {
    const [ours, theirs] = [written, served].map((schema) => schema.getDirective(name));
    const signature = (directive: typeof ours) => ({
      args: directive?.args.map((arg) => [arg.name, String(arg.type), arg.defaultValue]),
      locations: directive?.locations.toSorted(),
    });
    expect(signature(ours)).toEqual(signature(theirs));
  }
});

test('Relay gets each part with its label and path, and only the last part is final', async () => {
  const gateway = await startGateway({ directory: createFakeDirectory() });
  onTestFinished(gateway.close);
  const { toRelay } = runShown<{ toRelay(part: object): object[] }>('### Relay', {});
  const response = await requestParts(
    gateway,
    '{ dois(inputs: ["10.1000/1", "10.1000/2"]) { name ... @defer(label: "Q$defer$E") { exists } } }',
  );
  const payloads: object[] = [];
  for (let part = await response.next(); part !== null; part = await response.next())
    payloads.push(...toRelay(part));
  const deferred = (index: number) => ({
    label: 'Q$defer$E',
    path: ['dois', index],
    data: { exists: false },
  });
  expect(payloads).toMatchObject([
    { data: { dois: [{ name: '10.1000/1' }, { name: '10.1000/2' }] }, extensions: { is_final: false } },
    { ...deferred(0), extensions: { is_final: false } },
    { ...deferred(1), extensions: { is_final: true } },
  ]);
});
