// The file of operations (PERSISTED_OPERATIONS): its two formats, and one message with all its faults.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limitsOf } from '../../../src/app/limits.ts';
import { createApp } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config.ts';
import { createDescribeFaults } from '../../../src/graphql/document.ts';
import {
  loadOperationManifest,
  OperationManifestError,
} from '../../../src/graphql/persisted/operation-manifest.ts';

async function fileOf(content: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'manifest-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'operations.json');
  await writeFile(file, content);
  return file;
}

const check = createDescribeFaults(limitsOf(parseConfig({})).queryTokens);
const load = async (json: unknown) => loadOperationManifest(await fileOf(JSON.stringify(json)), check);

/** The lines of the message about a file, after the first line. */
async function faultsOf(content: string | Buffer): Promise<readonly string[]> {
  const file = await fileOf(content);
  const error: unknown = await loadOperationManifest(file, check).catch((reason: unknown) => reason);
  if (!(error instanceof OperationManifestError)) throw error;
  const [first, ...rest] = error.message.split('\n');
  expect(first).toBe(`PERSISTED_OPERATIONS="${file}" cannot be used:`);
  return rest.map((line) => line.trim());
}

const apollo = (operations: unknown, version: unknown = 1): string =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version, operations });

describe('a manifest', () => {
  test('can be an object of ids and documents', async () => {
    const manifest = await load({
      a: '{ __typename }',
      b: 'query ($if: Boolean!) { ... @defer(if: $if) { __typename } }',
    });
    expect(manifest.find('a')).toBe('{ __typename }');
    expect(manifest.has('{ __typename }')).toBe(true);
    expect(manifest.has('{ __typename  }')).toBe(false);
    for (const id of ['c', '__proto__', 'constructor']) expect(manifest.find(id)).toBeUndefined();
  });

  test('can have the format of Apollo', async () => {
    const operation = { id: 'x', name: 'A', type: 'query', body: 'query A { __typename }' };
    const manifest = await loadOperationManifest(await fileOf(apollo([operation])), check);
    expect(manifest.find('x')).toBe(operation.body);
    expect(manifest.find('format')).toBeUndefined();
  });

  test('can have the id __proto__', async () => {
    const manifest = await loadOperationManifest(await fileOf('{"__proto__": "{ __typename }"}'), check);
    expect(manifest.find('__proto__')).toBe('{ __typename }');
    expect(manifest.find('toString')).toBeUndefined();
  });

  test('can be empty', async () => {
    expect((await load({})).has('')).toBe(false);
  });
});

describe('the message about a manifest', () => {
  test('has the faults of every operation, with its id', async () => {
    const operations = {
      good: '{ __typename }',
      broken: '{ doi(input: ',
      unknown: '{ nothing, neither }',
      streamed: '{ doi(input: "1") { name @stream } }',
      list: ['{ __typename }'],
      long: `{ ${'a '.repeat(10_001)} }`,
      '': '{ __typename }',
      none: null,
      schema: 'type A { b: Int }',
    };
    expect(await faultsOf(JSON.stringify(operations))).toEqual([
      expect.stringMatching(/^"broken": Syntax Error: /),
      '"unknown": Cannot query field "nothing" on type "Query". Cannot query field "neither" on type "Query".',
      expect.stringMatching(/^"streamed": Directive "@stream"|^"streamed": Stream directive/),
      '"list": the document is not a string',
      expect.stringMatching(/^"long": The query has more than 10000 tokens\./),
      '"": the id must have 1 to 256 characters',
      '"none": the document is not a string',
      expect.stringMatching(/^"schema": /),
    ]);
  });

  test('has the first fifty faults, and the number of the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`id${index}`, '{']));
    const lines = await faultsOf(JSON.stringify(many));
    expect([lines.length, lines.at(-1)]).toEqual([51, 'and 10 more']);
  });

  test.each<[string, string | Buffer, string]>([
    ['no JSON', '{', 'the file is not JSON in UTF-8'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'the file is not JSON in UTF-8'],
    ['a list', '[]', 'the file is not a JSON object'],
    ['null', 'null', 'the file is not a JSON object'],
    ['a string', '"{ __typename }"', 'the file is not a JSON object'],
    ['another version of Apollo', apollo([], 2), 'the "version" of the manifest is not 1'],
    ['the format of Apollo without a list', apollo({}), 'the "operations" of the manifest are not a list'],
    ['the format of Apollo without an id', apollo([{ body: '{ __typename }' }]), 'operation 0 has no id'],
    ['the format of Apollo with null in its list', apollo([null]), 'operation 0 has no id'],
    ['the format of Apollo without a body', apollo([{ id: 'x' }]), '"x": the document is not a string'],
    [
      'an id twice',
      apollo([
        { id: 'x', body: '{ __typename }' },
        { id: 'x', body: '{ a: __typename }' },
      ]),
      '"x": the id occurs twice',
    ],
    ['too many bytes', ' '.repeat(20_000_001), 'the file has more than 20000000 bytes'],
    [
      'too many operations',
      `{${Array.from({ length: 20_001 }, (_, index) => `"${index}":"{a}"`)}}`,
      'the file has more than 20000 operations',
    ],
  ])('says what is wrong with a file: %s', async (_, content, fault) => {
    expect(await faultsOf(content)).toEqual([fault]);
  });

  test('says that a file is missing', async () => {
    const missing = loadOperationManifest('/nowhere/operations.json', check);
    await expect(missing).rejects.toThrow(
      'PERSISTED_OPERATIONS="/nowhere/operations.json" cannot be used:\n  the file cannot be read (ENOENT)',
    );
  });
});

test('with PERSISTED_ONLY, an empty manifest stops the start', async () => {
  for (const content of ['{}', apollo([])]) {
    const file = await fileOf(content);
    const startWith = (only: string) =>
      createApp(parseConfig({ PERSISTED_OPERATIONS: file, PERSISTED_ONLY: only, LOG_LEVEL: 'silent' }));
    await expect(startWith('yes')).rejects.toThrow(
      `PERSISTED_OPERATIONS="${file}" cannot be used:\n  the file has no operations, and PERSISTED_ONLY allows no other operations`,
    );
    await (await startWith('no')).dispose();
  }
});

test('without a manifest, PERSISTED_ONLY stops the start', () => {
  expect(() => parseConfig({ PERSISTED_ONLY: 'yes' })).toThrow(
    'PERSISTED_ONLY="yes": there are no operations without PERSISTED_OPERATIONS',
  );
});
