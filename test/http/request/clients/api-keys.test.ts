// The gateway accepts requests with an API key. Only the owner of the key can cache the responses.

import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../../../src/app.ts';
import type { Log } from '../../../../src/log.ts';
import { createFakeDirectory, NOW, urlValue } from '../../../support/fake-directory.ts';
import { startGateway } from '../../../support/gateway.ts';
import { testTable } from '../../../support/test-table.ts';
import { exchange, graphqlResult, headerValues, type SentRequest, statusAndCode } from '../../exchange.ts';
import { bearer, createKeysFile, KEY, sha256 } from './api-key-files.ts';

interface Start {
  readonly content?: unknown;
  readonly isPublic?: boolean;
  readonly parts?: AppParts;
}

async function start({ content, isPublic = false, parts = {} }: Start = {}) {
  const file = await createKeysFile(content);
  const records = { '10.1000/1': [urlValue('https://example.org/')] };
  const directory = createFakeDirectory({ records, now: parts.clock ?? NOW });
  const env = { API_KEYS_FILE: file.path, PUBLIC_ACCESS: isPublic ? 'yes' : 'no' };
  const gateway = await startGateway({ directory, clock: () => NOW, ...parts }, env);
  onTestFinished(async () => {
    await gateway.close();
    await file.remove();
  });
  const get = (path: string, headers: SentRequest['headers'] = {}, sent: SentRequest = {}) =>
    exchange(gateway.url + path, { ...sent, headers });
  const statusInProcess = async (key?: string) => {
    const headers = key === undefined ? {} : bearer(key);
    return (await gateway.app.fetch(new Request(`http://gateway.test${QUERY}`, { headers }))).status;
  };
  return { get, statusInProcess, file, directory, reload: gateway.app.reloadKeys };
}

const QUERY = '/graphql?query={doi(input:"10.1000/1"){exists}}';
const FACES = [QUERY, '/api/handles/10.1000/1', '/doiRA/10.1000/1', '/10.1000/1', '/nothing'];

describe('a gateway without public access', () => {
  testTable(FACES)('responds only to requests with a key: %s', async (path) => {
    const { get, directory } = await start();
    for (const headers of [
      {},
      bearer('wrong'),
      bearer(''),
      { authorization: `Basic ${KEY}` },
      { authorization: KEY },
    ]) {
      const refused = await get(path, headers);
      expect(refused.status).toBe(401);
      expect(headerValues(refused, 'www-authenticate')).toEqual(['Bearer realm="DOI gateway"']);
      expect(headerValues(refused, 'cache-control')).toEqual(['no-store']);
      expect(refused.text).toMatch(/API key/);
      expect(refused.text).not.toContain('wrong');
    }
    expect(directory.calls).toEqual({ resolve: [], whichRa: [] });
    expect((await get(path, bearer())).status).not.toBe(401);
    expect((await get(path, { authorization: `bEARER   ${KEY} ` })).status).not.toBe(401);
  });

  test('sends refusals in the form of each face', async () => {
    const { get } = await start();
    const graphql = await get(
      '/graphql',
      { 'content-type': 'application/json' },
      { method: 'POST', body: '{' },
    );
    expect(statusAndCode(graphql)).toEqual([401, 'UNAUTHENTICATED']);
    expect(graphqlResult(graphql).errors?.[0]?.extensions).toEqual({
      code: 'UNAUTHENTICATED',
      retryable: false,
    });
    expect((await get(QUERY, { accept: 'text/event-stream' })).text).toContain('"UNAUTHENTICATED"');
    expect(JSON.parse((await get('/api/handles/10.1000/1')).text)).toEqual({
      responseCode: 402,
      message: 'This gateway needs an API key. Send yours as Authorization: Bearer.',
    });
    expect((await get('/10.1000/1')).text).toContain('<h1>No answer</h1>');
  });

  testTable(['key', 'api_key', 'apikey', 'access_token', 'authorization', 'Bearer'])(
    'does not accept a key in a URL: %s',
    async (name) => {
      const { get } = await start();
      expect((await get(`${QUERY}&${name}=${KEY}`)).status).toBe(401);
      expect((await get(`/10.1000/1?${name}=${KEY}`)).status).toBe(401);
    },
  );

  testTable<[path: string, status: number, headers?: SentRequest['headers'], sent?: SentRequest]>([
    ['/', 200],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/metrics', 200],
    ['/inspector', 308],
    ['/', 200, bearer('wrong')],
    ['/healthz', 200, bearer('wrong')],
    ['/graphql', 200, { accept: 'text/html' }],
    ['/graphql', 204, {}, { method: 'OPTIONS' }],
  ])('does not need a key for pages, probes and preflights: %s', async (path, status, headers, sent) => {
    const { get } = await start();
    expect((await get(path, headers, sent)).status).toBe(status);
  });

  test('needs a key for in-process requests', async () => {
    const { statusInProcess } = await start();
    expect([await statusInProcess(), await statusInProcess(KEY)]).toEqual([401, 200]);
  });
});

testTable(FACES)('a gateway with public access refuses only an unknown key: %s', async (path) => {
  const { get } = await start({ isPublic: true });
  expect((await get(path)).status).not.toBe(401);
  expect((await get(path, { authorization: 'Basic dTpw' })).status).not.toBe(401);
  const refused = await get(path, bearer('wrong'));
  expect(refused.status).toBe(401);
  expect(refused.text).toContain('does not know the API key');
});

test('a key is accepted until it expires', async () => {
  let now = NOW;
  const expires = new Date(NOW + 1_000).toISOString();
  const { get } = await start({
    content: [{ name: 'a', sha256: sha256(KEY), expires }],
    parts: { clock: () => now },
  });
  now = NOW + 999;
  expect((await get(QUERY, bearer())).status).toBe(200);
  now = NOW + 1_000;
  const refused = await get(QUERY, bearer());
  expect([refused.status, refused.text.includes('has expired')]).toEqual([401, true]);
});

describe('a response to a request with a key', () => {
  testTable(FACES.slice(0, 4))('can be cached only by the owner of the key: %s', async (path) => {
    const { get } = await start({ isPublic: true });
    const [own, open] = [await get(path, bearer()), await get(path)];
    const [control = ''] = headerValues(open, 'cache-control');
    expect(control).toMatch(/^public, max-age=\d+$/);
    expect(headerValues(own, 'cache-control')).toEqual([control.replace('public', 'private')]);
    for (const response of [own, open])
      expect(headerValues(response, 'vary').join()).toMatch(/(?:^|, )Authorization$/);
  });

  testTable([QUERY, '/api/handles/10.1000/1'])('has the same ETag as without a key: %s', async (path) => {
    const { get } = await start({ isPublic: true });
    const [own, open] = [await get(path, bearer()), await get(path)];
    const [tag = ''] = headerValues(own, 'etag');
    expect(headerValues(open, 'etag')).toEqual([tag]);
    const again = await get(path, { ...bearer(), 'if-none-match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(headerValues(again, 'cache-control')).toEqual(['private, max-age=86400']);
  });

  test('is compressed, and varies by Accept-Encoding and Authorization', async () => {
    const { get } = await start();
    const response = await get('/graphql?query={__schema{types{name,description}}}', {
      ...bearer(),
      'accept-encoding': 'gzip',
    });
    expect(headerValues(response, 'content-encoding')).toEqual(['gzip']);
    expect(headerValues(response, 'vary')).toEqual(['Accept, Authorization, Accept-Encoding']);
  });
});

test('without API_KEYS_FILE, no response varies by Authorization', async () => {
  const gateway = await startGateway({ directory: createFakeDirectory(), clock: () => NOW });
  onTestFinished(() => gateway.close());
  const response = await exchange(gateway.url + QUERY, { headers: bearer('anything') });
  expect(response.status).toBe(200);
  expect(headerValues(response, 'vary').join()).not.toContain('Authorization');
  expect(headerValues(response, 'cache-control').join()).toMatch(/^public, /);
});

describe('a reload of the file', () => {
  async function startLogged() {
    const logged: [level: string, words: string][] = [];
    const note = (level: string) => (words: unknown) => void logged.push([level, String(words)]);
    const log = { debug() {}, info: note('info'), warn: note('warn'), error: note('error') } as Log;
    return { ...(await start({ parts: { log } })), logged };
  }

  test('replaces the keys', async () => {
    const { file, statusInProcess, logged, reload } = await startLogged();
    await file.write([{ name: 'acme', sha256: sha256('new') }]);
    expect([await statusInProcess(KEY), await statusInProcess('new')]).toEqual([200, 401]);
    await reload();
    expect([await statusInProcess(KEY), await statusInProcess('new')]).toEqual([401, 200]);
    expect(logged).toEqual([['info', `${file.path} was read again: 1 API keys.`]]);
  });

  test('keeps the keys if the file is invalid, and logs the reason', async () => {
    const { file, statusInProcess, logged, reload } = await startLogged();
    await file.write('[{');
    await reload();
    expect(await statusInProcess(KEY)).toBe(200);
    expect(logged).toEqual([
      [
        'error',
        `The API keys stay as they were. API_KEYS_FILE="${file.path}" cannot be used:\n  the file is not JSON in UTF-8`,
      ],
    ]);
  });
});
