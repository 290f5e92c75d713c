// Operations by id, from earlier requests or from a manifest, and the refusal of all others with PERSISTED_ONLY.

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '../../../src/config.ts';
import { inspectorDocuments } from '../../../src/http/pages/inspector.ts';
import { exchange, graphqlResult, post, statusAndCode } from '../../http/exchange.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { startGateway } from '../../support/gateway.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const persistedQuery = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

const NAME = 'query Name($input: String!) { doi(input: $input) { name } }';
const TWO = 'query A { doi(input: "10.5555/a") { name } } query B { doi(input: "10.5555/b") { name } }';
const MANIFEST = { 'name-v1': NAME, [sha256(TWO)]: TWO, __proto__: '' };
const variables = { input: '10.5555/1' };
const RESPONSE = '{"data":{"doi":{"name":"10.5555/1"}}}';

async function start(env: Environment = {}) {
  const gateway = await startGateway({ directory: createFakeDirectory() }, env);
  onTestFinished(() => gateway.close());
  return {
    ...gateway,
    send: (body: object, headers = {}) => post(gateway, JSON.stringify(body), headers),
    get: (parameters: Readonly<Record<string, string>>) =>
      exchange(`${gateway.url}/graphql?${new URLSearchParams(parameters)}`),
  };
}

/** A gateway with the manifest above. */
async function startWithManifest(env: Environment = {}, manifest: unknown = MANIFEST) {
  const folder = await mkdtemp(join(tmpdir(), 'operations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'operations.json');
  await writeFile(file, JSON.stringify(manifest));
  return start({ PERSISTED_OPERATIONS: file, ...env });
}

describe('a query that clients register', () => {
  test('is unknown at first: the response has the message and status that clients expect', async () => {
    const gateway = await start();
    const response = await gateway.send({ variables, extensions: persistedQuery(sha256(NAME)) });
    expect(statusAndCode(response)).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
    expect(graphqlResult(response)).toEqual({
      errors: [
        {
          message: 'PersistedQueryNotFound',
          extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', retryable: false },
        },
      ],
    });
  });

  test('is executed by its hash, by POST and by GET, after a request with the query and its hash', async () => {
    const gateway = await start();
    const extensions = persistedQuery(sha256(NAME));
    expect((await gateway.send({ query: NAME, variables, extensions })).text).toBe(RESPONSE);
    expect((await gateway.send({ variables, extensions })).text).toBe(RESPONSE);
    const parameters = { variables: JSON.stringify(variables), extensions: JSON.stringify(extensions) };
    expect((await gateway.get(parameters)).text).toBe(RESPONSE);
    expect((await gateway.get({ ...parameters, query: NAME })).text).toBe(RESPONSE);
  });

  test('is refused with the hash of another query', async () => {
    const gateway = await start();
    const extensions = persistedQuery(sha256(TWO));
    const response = await gateway.send({ query: NAME, variables, extensions });
    expect(statusAndCode(response)).toEqual([400, 'BAD_USER_INPUT']);
    expect(response.text).toContain('is not the SHA-256 of the query');
    expect(statusAndCode(await gateway.send({ variables, extensions }))).toEqual([
      200,
      'PERSISTED_QUERY_NOT_FOUND',
    ]);
  });

  test('is known only to the gateway that got it', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const extensions = persistedQuery(sha256(NAME));
    await one.send({ query: NAME, variables, extensions });
    expect(statusAndCode(await other.send({ variables, extensions }))[1]).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('can have deferred parts', async () => {
    const gateway = await start();
    const query = '{ doi(input: "10.5555/1") { name ... @defer { suffix } } }';
    const extensions = persistedQuery(sha256(query));
    await gateway.send({ query, extensions });
    const { text } = await gateway.send({ extensions }, { accept: 'multipart/mixed' });
    expect(text).toContain('"incremental":[{"data":{"suffix":"1"},"path":["doi"]}]');
  });
});

describe('an operation of the manifest', () => {
  test.each([
    ['documentId', { documentId: 'name-v1' }],
    ["Relay's doc_id", { doc_id: 'name-v1' }],
    ['its id as the hash', { extensions: persistedQuery('name-v1') }],
    ['the SHA-256 of its text', { extensions: persistedQuery(sha256(NAME)) }],
    ['the SHA-256 of its text as documentId', { documentId: `sha256:${sha256(NAME)}` }],
    ['its text', { query: NAME }],
    ['its text and its id', { query: NAME, extensions: persistedQuery('name-v1') }],
    ['its text and its documentId', { query: NAME, documentId: 'name-v1' }],
    ['its text and its hash as documentId', { query: NAME, documentId: `sha256:${sha256(NAME)}` }],
    ['its text and its hash', { query: NAME, extensions: persistedQuery(sha256(NAME)) }],
  ])('is executed by %s, also with PERSISTED_ONLY', async (_, body) => {
    for (const only of ['no', 'yes']) {
      const gateway = await startWithManifest({ PERSISTED_ONLY: only });
      expect((await gateway.send({ variables, ...body })).text).toBe(RESPONSE);
    }
  });

  test.each([
    ['documentId', { documentId: 'name-v1' }],
    ['doc_id', { doc_id: 'name-v1' }],
    ['extensions', { extensions: JSON.stringify(persistedQuery('name-v1')) }],
  ])('is executed by GET with %s', async (_, parameters) => {
    const gateway = await startWithManifest();
    expect((await gateway.get({ ...parameters, variables: JSON.stringify(variables) })).text).toBe(RESPONSE);
  });

  test('can be one of several operations in its document', async () => {
    const gateway = await startWithManifest({ PERSISTED_ONLY: 'yes' });
    const { text } = await gateway.send({ documentId: sha256(TWO), operationName: 'B' });
    expect(text).toBe('{"data":{"doi":{"name":"10.5555/b"}}}');
  });

  test.each(['nope', '__proto__', 'x'.repeat(10_000)])('is not found by the id %.20s', async (id) => {
    const gateway = await startWithManifest({}, { 'name-v1': NAME });
    const response = await gateway.send({ documentId: id });
    expect(statusAndCode(response)).toEqual([404, 'PERSISTED_QUERY_NOT_FOUND']);
    expect(response.text.length).toBeLessThan(400);
    expect(statusAndCode(await gateway.send({ extensions: persistedQuery(id) }))).toEqual([
      200,
      'PERSISTED_QUERY_NOT_FOUND',
    ]);
  });
});

test('the error for an unknown id has advice', async () => {
  const advice = async (only: string) =>
    graphqlResult(await (await startWithManifest({ PERSISTED_ONLY: only })).send({ documentId: 'nope' }))
      .errors?.[0]?.message;
  const beginning = 'The gateway knows no operation with the id "nope". ';
  expect(await advice('no')).toBe(
    `${beginning}Send an id of its manifest, or the whole query in place of the id.`,
  );
  expect(await advice('yes')).toBe(
    `${beginning}It executes only operations of its manifest: send the id of such an operation.`,
  );
});

describe('a query is refused by POST and by GET if it has the id of another query', () => {
  test.each([
    ['documentId', 'nope'],
    ['documentId', 'name-v1'],
    ['documentId', ''],
    ['documentId', `sha256:${sha256(NAME)}`],
    ['doc_id', 'name-v1'],
  ])('as %s "%s"', async (name, id) => {
    const gateway = await startWithManifest();
    const parameters = { query: '{ __typename }', [name]: id };
    for (const response of [await gateway.send(parameters), await gateway.get(parameters)]) {
      expect(statusAndCode(response)).toEqual([400, 'BAD_USER_INPUT']);
      expect(response.text).toContain('but this id belongs to another query. Send only one of the two.');
    }
  });
});

test('a query that no manifest has can have its hash as documentId', async () => {
  const gateway = await start();
  const { text } = await gateway.send({ query: NAME, variables, documentId: `sha256:${sha256(NAME)}` });
  expect(text).toBe(RESPONSE);
});

describe('with PERSISTED_ONLY', () => {
  test.each([
    ['another query', { query: '{ doi(input: "10.5555/1") { name } }' }],
    ['a query that differs in a space', { query: `${NAME} ` }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['an empty query', { query: '' }],
    ['another query with an id of the manifest', { query: '{ __typename }', documentId: 'name-v1' }],
    [
      'another query with a hash of the manifest',
      { query: '{ __typename }', extensions: persistedQuery('name-v1') },
    ],
    [
      'another query with its own hash',
      { query: '{ __typename }', extensions: persistedQuery(sha256('{ __typename }')) },
    ],
  ])('%s is refused', async (_, body) => {
    const gateway = await startWithManifest({ PERSISTED_ONLY: 'yes' });
    const response = await gateway.send(body);
    expect(statusAndCode(response)).toEqual([403, 'BAD_USER_INPUT']);
    expect(response.text).toContain('executes only the operations of its manifest');
    if ('extensions' in body && !body.extensions.persistedQuery.sha256Hash.startsWith('name')) {
      expect(statusAndCode(await gateway.send({ ...body, query: undefined }))[1]).toBe(
        'PERSISTED_QUERY_NOT_FOUND',
      );
    }
  });

  test.each(['application/graphql', 'application/x-www-form-urlencoded'])(
    'a query as %s is also refused',
    async (type) => {
      const gateway = await startWithManifest({ PERSISTED_ONLY: 'yes' });
      const body = type === 'application/graphql' ? '{ __typename }' : 'query=%7B__typename%7D';
      expect(statusAndCode(await post(gateway, body, { 'content-type': type }))).toEqual([
        403,
        'BAD_USER_INPUT',
      ]);
    },
  );

  test('a request without a query is BAD_USER_INPUT', async () => {
    const gateway = await startWithManifest({ PERSISTED_ONLY: 'yes' });
    expect(statusAndCode(await gateway.send({ variables }))).toEqual([400, 'BAD_USER_INPUT']);
  });
});

test('with PERSISTED_ONLY, the documents of the inspector page are executed, and similar documents are refused', async () => {
  const gateway = await startWithManifest({ PERSISTED_ONLY: 'yes' });
  const documents = inspectorDocuments();
  expect(documents.length).toBeGreaterThan(0);
  for (const query of documents) {
    // The error is about the missing variables: the document is allowed.
    expect(statusAndCode(await gateway.send({ query }))).toEqual([200, 'BAD_USER_INPUT']);
    expect(statusAndCode(await gateway.send({ query: `${query} ` }))).toEqual([403, 'BAD_USER_INPUT']);
  }
});
