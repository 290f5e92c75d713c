// Every error: its code, its words, its path; and what must never be in it.

import { describe, expect, onTestFinished, test } from 'vitest';
import { ERROR_KINDS, GatewayError, isErrorCode } from '../../src/errors.ts';
import { askedNames, sendJson, startDirectoryServer } from '../support/directory-server.ts';
import { urlValue } from '../support/fake-directory.ts';
import type { GraphqlError } from '../support/gateway.ts';
import { asked, createFakeGateway, createLoggedGateway, NO_CALLS } from './fake-gateway.ts';

/** Words that no client may read. */
const SECRET = 'password=hunter2 at 10.0.0.7';

function codesOf(errors: readonly GraphqlError[] | undefined): string[] {
  return (errors ?? []).map(({ extensions }) => String(extensions['code']));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

describe('INVALID_DOI', () => {
  const inputs = {
    EMPTY: '  ',
    NOT_A_DOI: 'nonsense',
    INVALID_DIRECTORY_INDICATOR: '11.1000/1',
    INVALID_PREFIX: '10.1000a/1',
    MISSING_SUFFIX: '10.1000/',
    NON_GRAPHIC_CHARACTER: '10.1000/a\u00adb',
    INVALID_PERCENT_ENCODING: 'doi:10.1000/100%',
    INVALID_UTF8: 'doi:10.1000/ab%FF',
    UNPAIRED_SURROGATE: '10.1000/\ud83d',
    SHORT_DOI: '10/abcde',
  };
  const rows = [
    ...Object.entries(inputs).map(([reason, input]) => ({ reason, input, form: null })),
    { reason: 'NOT_IN_FORM', input: 'doi:10.1000/a/b', form: 'URI' },
  ];

  for (const { reason, input, form } of rows) {
    test(`has the reason ${reason}, position and words of the problem`, async () => {
      const { query, calls } = await createFakeGateway();
      const { data, errors } = await query<{
        doi: unknown;
        dois: unknown;
        parseDoi: {
          problem: { code: string; message: string; position: number | null };
          meant: { doi: { name: string } }[];
        };
      }>(
        `query ($input: String!, $form: DOIForm) {
        doi(input: $input, form: $form) { id }
        dois(inputs: ["10.1000/1", $input], form: $form) { id }
        parseDoi(input: $input, form: $form) { problem { code message position } meant { doi { name } } }
      }`,
        { input, form },
      );
      const { code, position } = data.parseDoi.problem;
      const meant = data.parseDoi.meant.map(({ doi }) => doi.name);
      const message = [
        data.parseDoi.problem.message,
        ...meant.map((name) => `Probably meant: "${name}".`),
      ].join(' ');
      expect(code).toBe(reason);
      const error = {
        message,
        extensions: { code: 'INVALID_DOI', reason, position, meant, retryable: false },
      };
      expect(errors?.filter(({ path }) => path?.[1] !== 0)).toEqual([
        { ...error, path: ['doi'], locations: expect.anything() },
        { ...error, path: ['dois', 1], locations: expect.anything() },
      ]);
      expect(data.doi).toBeNull();
      expect(calls).toEqual(NO_CALLS);
    });
  }

  test('has the position in the input as given, in UTF-16 units', async () => {
    const { query } = await createFakeGateway();
    const { errors } = await query('query ($input: String!) { doi(input: $input) { id } }', {
      input: ' <https://doi.org/10.1000/%F0%9F%98%80\u{1F600}\u0007>',
    });
    expect(errors).toMatchObject([
      { path: ['doi'], extensions: { reason: 'NON_GRAPHIC_CHARACTER', position: 40 } },
    ]);
  });
});

describe('a failure of the directory', () => {
  const codes = Object.keys(ERROR_KINDS)
    .filter(isErrorCode)
    .filter((code) => code.startsWith('UPSTREAM_'));

  for (const code of codes) {
    test(`${code} has its own code, words and retryable, and not its cause`, async () => {
      const { gateway, calls } = await createLoggedGateway({
        records: { '10.1000/1': new GatewayError(code, { cause: new Error(SECRET) }) },
      });
      const { data, errors } = await gateway.query('{ doi(input: "10.1000/1") { id record { status } } }');
      expect(data).toEqual({ doi: { id: 'doi:10.1000/1', record: null } });
      expect(errors).toEqual([
        {
          message: ERROR_KINDS[code].message,
          path: ['doi', 'record'],
          locations: expect.anything(),
          extensions: { code, retryable: ERROR_KINDS[code].retryable },
        },
      ]);
      expect(calls).toEqual({ resolve: [asked('10.1000/1')], whichRa: [] });
    });
  }

  test('says after how many seconds to come back, where the directory does', async () => {
    const { gateway } = await createLoggedGateway({
      records: {
        '10.1000/1': new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 30 } }),
      },
    });
    const { errors } = await gateway.query('{ doi(input: "10.1000/1") { exists } }');
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_RATE_LIMITED', retryable: true, retryAfterSeconds: 30 } },
    ]);
  });

  test('keeps what a DOI proxy wrote from the client, whether page, JSON or message', async () => {
    const server = await startDirectoryServer((request, response) => {
      const { names } = askedNames(request);
      const [handle = ''] = names;
      if (handle.endsWith('page')) {
        response.writeHead(500, { 'content-type': 'text/html' }).end(`<h1>${SECRET}</h1>`);
      } else if (handle.endsWith('json')) {
        sendJson(response, 200, { error: SECRET });
      } else {
        sendJson(response, 500, { responseCode: 2, handle, message: SECRET });
      }
    });
    onTestFinished(server.close);
    const { gateway, log } = await createLoggedGateway(null, { DOI_DIRECTORY_URL: server.url.href });
    const result = await gateway.query(
      '{ dois(inputs: ["10.1000/page", "10.1000/json", "10.1000/message"]) { record { status message } } }',
    );
    expect(result.data).toEqual({
      dois: [
        { record: null },
        { record: null },
        { record: { status: 'ERROR', message: expect.stringMatching(/^The directory/) } },
      ],
    });
    expect(new Set(codesOf(result.errors))).toEqual(
      new Set(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_BAD_RESPONSE']),
    );
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(log.filter((line) => line.includes(SECRET))).not.toEqual([]);
    expect(new Set(server.targets)).toEqual(
      new Set(['page', 'json', 'message'].map((suffix) => `/api/handles/10.1000/${suffix}`)),
    );
  });
});

describe('an error that is not in the table', () => {
  const thrown: readonly { readonly what: string; readonly fail: () => unknown }[] = [
    { what: 'an Error', fail: () => new Error(SECRET) },
    { what: 'a TypeError with a cause', fail: () => new TypeError('bad', { cause: new Error(SECRET) }) },
    { what: 'a string', fail: () => SECRET },
    { what: 'an object that poses as one of ours', fail: () => ({ code: 'INVALID_DOI', message: SECRET }) },
    {
      what: 'an Error that poses as one of ours',
      fail: () => Object.assign(new Error(SECRET), { extensions: { code: 'INVALID_DOI', secret: SECRET } }),
    },
  ];
  for (const { what, fail } of thrown) {
    test(`${what} is masked, and logged with its text and where`, async () => {
      const { gateway, log, calls } = await createLoggedGateway({
        records: {
          '10.1000/1': [urlValue('https://example.org/')],
          '10.1000/2': () => Promise.reject(fail()),
        },
      });
      const result = await gateway.query(
        '{ dois(inputs: ["10.1000/1", "10.1000/2"]) { id record { status } } }',
      );
      expect(result.data).toEqual({
        dois: [
          { id: 'doi:10.1000/1', record: { status: 'SUCCESS' } },
          { id: 'doi:10.1000/2', record: null },
        ],
      });
      expect(result.errors).toEqual([
        {
          message: ERROR_KINDS.INTERNAL_SERVER_ERROR.message,
          path: ['dois', 1, 'record'],
          locations: expect.anything(),
          extensions: { code: 'INTERNAL_SERVER_ERROR', retryable: false },
        },
      ]);
      expect(JSON.stringify(result)).not.toContain('hunter2');
      expect(log).toHaveLength(1);
      expect(log[0]).toContain('hunter2');
      expect(JSON.parse(log[0] ?? '')).toMatchObject({ level: 50, path: ['dois', 1, 'record'] });
      expect(calls.resolve).toEqual([asked('10.1000/1'), asked('10.1000/2')]);
    });
  }

  test('of Which RA is also masked and logged', async () => {
    const { gateway, log } = await createLoggedGateway({ agencies: { '10.1000/1': new Error(SECRET) } });
    const result = await gateway.query('{ doi(input: "10.1000/1") { whichRa { status } exists } }');
    expect(result.data).toEqual({ doi: { whichRa: null, exists: false } });
    expect(codesOf(result.errors)).toEqual(['INTERNAL_SERVER_ERROR']);
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(log.join('')).toContain('hunter2');
  });

  test('is the only one that is logged as an error: what clients do wrong is not', async () => {
    const { gateway, log } = await createLoggedGateway({});
    await gateway.query('{ doi(input: "nonsense") { id } }');
    await gateway.query('{ nope }');
    await gateway.query('{');
    await gateway.query('query ($input: String!) { doi(input: $input) { id } }', { input: 5 });
    expect(log).toEqual([]);
  });

  test('is not a client that goes away: its look-ups end, and nothing is logged', async () => {
    const client = new AbortController();
    let lookUpEnded = false;
    const { gateway, log, calls } = await createLoggedGateway({
      records: {
        '10.1000/1': (_name, { signal }) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => {
              lookUpEnded = true;
              reject(signal.reason);
            });
            client.abort();
          }),
      },
    });
    const answer = gateway.app.fetch(
      new Request('http://gateway.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ doi(input: "10.1000/1") { record { status } } }' }),
        signal: client.signal,
      }),
    );
    await answer.catch(() => null);
    // What is left of the operation comes to its end behind the answer.
    await gateway.query('{ doiDirectory { kind } }');
    expect(lookUpEnded).toBe(true);
    expect(calls.resolve).toEqual([asked('10.1000/1')]);
    expect(log).toEqual([]);
  });
});

test('every error has a code of the table and a retryable that agrees with it', async () => {
  const { query } = await createFakeGateway({
    records: {
      '10.1000/1': new GatewayError('UPSTREAM_TIMEOUT'),
      '10.1000/2': new Error(SECRET),
      '10.1000/3': 2,
    },
  });
  const results = await Promise.all([
    query(
      '{ dois(inputs: ["10.1000/1", "10.1000/2", "10.1000/3", "nonsense"]) { record { status } exists proxyUrl } }',
    ),
    query('{'),
    query('{ a b c }'),
    query('query ($form: DOIForm) { doi(input: "10.1000/1", form: $form) { id } }', { form: 'NOPE' }),
    query(`{ ${'doiDirectory { kind } '.repeat(5000)} }`),
  ]);
  const errors = results.flatMap((result) => result.errors ?? []);
  expect(codesOf(errors).sort(byText)).toEqual([
    'BAD_USER_INPUT',
    'GRAPHQL_PARSE_FAILED',
    'GRAPHQL_VALIDATION_FAILED',
    'GRAPHQL_VALIDATION_FAILED',
    'GRAPHQL_VALIDATION_FAILED',
    'INTERNAL_SERVER_ERROR',
    'INTERNAL_SERVER_ERROR',
    'INVALID_DOI',
    'LIMIT_EXCEEDED',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_UNAVAILABLE',
  ]);
  for (const { message, extensions } of errors) {
    const { code, retryable } = extensions;
    expect(retryable).toBe(isErrorCode(code) && ERROR_KINDS[code].retryable);
    expect(message).not.toBe('');
  }
});
