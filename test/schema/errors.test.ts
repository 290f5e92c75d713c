// Errors: the code, message and path that a client gets, and the line that the log gets.

import { describe, expect, onTestFinished, test } from 'vitest';
import { ERROR_KINDS, GatewayError, isErrorCode } from '../../src/errors.ts';
import { requestedNames, sendJson, startDirectoryServer } from '../support/directory-server.ts';
import { urlValue } from '../support/fake-directory.ts';
import type { GraphqlError } from '../support/gateway.ts';
import { createFakeGateway, createLoggedGateway, NO_CALLS, recordCall } from './fake-gateway.ts';

/** No response may contain this text. */
const SECRET = 'password=hunter2 at 10.0.0.7';

function codesOf(errors: readonly GraphqlError[] | undefined): string[] {
  return (errors ?? []).map(({ extensions }) => String(extensions['code']));
}

describe('INVALID_DOI', () => {
  test.each<[string, string, string?]>([
    ['EMPTY', '  '],
    ['NOT_A_DOI', 'nonsense'],
    ['INVALID_DIRECTORY_INDICATOR', '11.1000/1'],
    ['INVALID_PREFIX', '10.1000a/1'],
    ['MISSING_SUFFIX', '10.1000/'],
    ['NON_GRAPHIC_CHARACTER', '10.1000/a\u00adb'],
    ['INVALID_PERCENT_ENCODING', 'doi:10.1000/100%'],
    ['INVALID_UTF8', 'doi:10.1000/ab%FF'],
    ['UNPAIRED_SURROGATE', '10.1000/\ud83d'],
    ['SHORT_DOI', '10/abcde'],
    ['NOT_IN_FORM', 'doi:10.1000/a/b', 'URI'],
  ])('has the reason %s, with the message and position of the problem', async (reason, input, form) => {
    const { query, calls } = await createFakeGateway();
    const { data, errors } = await query<{
      doi: unknown;
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
    const { code, position, message } = data.parseDoi.problem;
    const meant = data.parseDoi.meant.map(({ doi }) => doi.name);
    expect(code).toBe(reason);
    const error = {
      message: [message, ...meant.map((name) => `Probably meant: "${name}".`)].join(' '),
      extensions: { code: 'INVALID_DOI', reason, position, meant, retryable: false },
    };
    // With the form URI, the first name of the list is an error too.
    expect(errors?.filter(({ path }) => path?.[1] !== 0)).toEqual([
      { ...error, path: ['doi'], locations: expect.anything() },
      { ...error, path: ['dois', 1], locations: expect.anything() },
    ]);
    expect(data.doi).toBeNull();
    expect(calls).toEqual(NO_CALLS);
  });
});

describe('a failure of the directory', () => {
  const codes = Object.keys(ERROR_KINDS)
    .filter(isErrorCode)
    .filter((code) => code.startsWith('UPSTREAM_'));

  test.each(codes)('%s has the message and retryable of the error table, without its cause', async (code) => {
    const { gateway, calls, log } = await createLoggedGateway({
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
    expect(calls).toEqual({ resolve: [recordCall('10.1000/1')], whichRa: [] });
    expect(log).toEqual([]);
  });

  test('has the seconds after which the client may retry, if the directory sends them', async () => {
    const { query } = await createFakeGateway({
      records: {
        '10.1000/1': new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 30 } }),
      },
    });
    const { errors } = await query('{ doi(input: "10.1000/1") { exists } }');
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_RATE_LIMITED', retryable: true, retryAfterSeconds: 30 } },
    ]);
  });

  test('has no text of the DOI proxy: the page, JSON or message of the proxy goes only to the log', async () => {
    const server = await startDirectoryServer((request, response) => {
      const { names } = requestedNames(request);
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

describe('an unexpected error', () => {
  test.each<[string, () => unknown]>([
    ['an Error', () => new Error(SECRET)],
    ['a TypeError with a cause', () => new TypeError('bad', { cause: new Error(SECRET) })],
    ['a string', () => SECRET],
    ['an object like an error of the table', () => ({ code: 'INVALID_DOI', message: SECRET })],
    [
      'an Error like an error of the table',
      () => Object.assign(new Error(SECRET), { extensions: { code: 'INVALID_DOI', http: { status: 200 } } }),
    ],
  ])('is masked, and logged once with its text and path: %s', async (_, createError) => {
    const { gateway, log, calls } = await createLoggedGateway({
      records: {
        '10.1000/1': [urlValue('https://example.org/')],
        '10.1000/2': () => Promise.reject(createError()),
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
    expect(calls.resolve).toEqual([recordCall('10.1000/1'), recordCall('10.1000/2')]);
  });
});

test('an input that is no DOI is not logged', async () => {
  const { gateway, log } = await createLoggedGateway({});
  await gateway.query('{ doi(input: "nonsense") { id } }');
  expect(log).toEqual([]);
});

test('every error has a code of the error table, with the retryable of this code', async () => {
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
  expect(new Set(codesOf(errors))).toEqual(
    new Set([
      ...['BAD_USER_INPUT', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'INTERNAL_SERVER_ERROR'],
      ...['INVALID_DOI', 'LIMIT_EXCEEDED', 'UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE'],
    ]),
  );
  for (const { message, extensions } of errors) {
    const { code, retryable } = extensions;
    expect(retryable).toBe(isErrorCode(code) && ERROR_KINDS[code].retryable);
    expect(message).not.toBe('');
  }
});
