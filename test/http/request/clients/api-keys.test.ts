// Who is let in with which key, and that what a key gets is for its owner alone.

import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../../../src/app.ts';
import type { Log } from '../../../../src/log.ts';
import { createFakeDirectory, NOW, urlValue } from '../../../support/fake-directory.ts';
import { createTestGateway, startGateway } from '../../../support/gateway.ts';
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
  const get = (path: string, headers: SentRequest['headers'] = {}, more: SentRequest = {}) =>
    exchange(gateway.url + path, { ...more, headers });
  return { get, file, directory };
}

const QUERY = '/graphql?query={doi(input:"10.1000/1"){exists}}';
const FACES = [QUERY, '/api/handles/10.1000/1', '/doiRA/10.1000/1', '/10.1000/1', '/nothing'];

describe('a gateway for API keys alone', () => {
  test.each(FACES)('answers %s to a key, and to nobody else', async (path) => {
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

  test('refuses in the form of each face', async () => {
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
    const parts = await get(QUERY, { accept: 'text/event-stream' });
    expect(parts.text).toContain('"UNAUTHENTICATED"');
    expect(JSON.parse((await get('/api/handles/10.1000/1')).text)).toEqual({
      responseCode: 402,
      message: 'This gateway needs an API key. Send yours as Authorization: Bearer.',
    });
    expect((await get('/10.1000/1')).text).toContain('<h1>No answer</h1>');
  });

  test('never takes a key from a URL', async () => {
    const { get } = await start();
    for (const name of ['key', 'api_key', 'apikey', 'access_token', 'authorization', 'Bearer']) {
      expect((await get(`${QUERY}&${name}=${KEY}`)).status, name).toBe(401);
      expect((await get(`/10.1000/1?${name}=${KEY}`)).status, name).toBe(401);
    }
  });

  test.each(['/', '/healthz', '/readyz', '/metrics', '/inspector'])('leaves %s open', async (path) => {
    const { get } = await start();
    expect([200, 308]).toContain((await get(path)).status);
    expect((await get(path, bearer('wrong'))).status).not.toBe(401);
  });

  test('leaves the page of GraphiQL open, and preflights', async () => {
    const { get } = await start();
    expect((await get('/graphql', { accept: 'text/html' })).status).toBe(200);
    expect((await get('/graphql', {}, { method: 'OPTIONS' })).status).toBe(204);
  });

  test('is closed in-process as well', async () => {
    const file = await createKeysFile();
    const gateway = await createTestGateway(
      { directory: createFakeDirectory() },
      { API_KEYS_FILE: file.path, PUBLIC_ACCESS: 'no' },
    );
    onTestFinished(async () => {
      await gateway.close();
      await file.remove();
    });
    const { errors } = await gateway.query('{ __typename }');
    expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
    const request = new Request(`http://gateway.test${QUERY}`, { headers: bearer() });
    expect((await gateway.app.fetch(request)).status).toBe(200);
  });
});

describe('a gateway for all, with keys', () => {
  test.each(FACES)('answers %s without a key, and not with one that it does not know', async (path) => {
    const { get } = await start({ isPublic: true });
    expect((await get(path)).status).not.toBe(401);
    expect((await get(path, { authorization: 'Basic dTpw' })).status).not.toBe(401);
    const refused = await get(path, bearer('wrong'));
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('does not know the API key');
  });
});

test('a key holds until it expires', async () => {
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

describe('what a key gets', () => {
  test.each(FACES.slice(0, 4))('is kept by its owner alone: %s', async (path) => {
    const { get } = await start({ isPublic: true });
    const [own, open] = [await get(path, bearer()), await get(path)];
    const [control = ''] = headerValues(open, 'cache-control');
    expect(control).toMatch(/^public, max-age=\d+$/);
    expect(headerValues(own, 'cache-control')).toEqual([control.replace('public', 'private')]);
    for (const answer of [own, open])
      expect(headerValues(answer, 'vary').join()).toMatch(/(?:^|, )Authorization$/);
  });

  test.each([QUERY, '/api/handles/10.1000/1'])('has the ETag that it has for all: %s', async (path) => {
    const { get } = await start({ isPublic: true });
    const [own, open] = [await get(path, bearer()), await get(path)];
    const [tag = ''] = headerValues(own, 'etag');
    expect(headerValues(open, 'etag')).toEqual([tag]);
    const again = await get(path, { ...bearer(), 'if-none-match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(headerValues(again, 'cache-control')).toEqual(['private, max-age=86400']);
  });

  test('is compressed like all else, and says so beside', async () => {
    const { get } = await start();
    const answer = await get('/graphql?query={__schema{types{name,description}}}', {
      ...bearer(),
      'accept-encoding': 'gzip',
    });
    expect(headerValues(answer, 'content-encoding')).toEqual(['gzip']);
    expect(headerValues(answer, 'vary')).toEqual(['Accept, Authorization, Accept-Encoding']);
  });
});

test('without keys no answer says that it depends on one', async () => {
  const gateway = await startGateway({ directory: createFakeDirectory(), clock: () => NOW });
  onTestFinished(() => gateway.close());
  const answer = await exchange(gateway.url + QUERY, { headers: bearer('anything') });
  expect(answer.status).toBe(200);
  expect(headerValues(answer, 'vary').join()).not.toContain('Authorization');
  expect(headerValues(answer, 'cache-control').join()).toMatch(/^public, /);
});

describe('the file read anew', () => {
  async function running() {
    const logged: [level: string, words: string][] = [];
    const note = (level: string) => (words: unknown) => void logged.push([level, String(words)]);
    const log = { debug() {}, info: note('info'), warn: note('warn'), error: note('error') } as Log;
    const file = await createKeysFile();
    const gateway = await createTestGateway(
      { directory: createFakeDirectory(), log },
      { API_KEYS_FILE: file.path, PUBLIC_ACCESS: 'no' },
    );
    onTestFinished(async () => {
      await gateway.close();
      await file.remove();
    });
    const status = async (key: string) =>
      (await gateway.app.fetch(new Request(`http://gateway.test${QUERY}`, { headers: bearer(key) }))).status;
    return { file, status, logged, reload: gateway.app.reloadKeys };
  }

  test('counts from then on', async () => {
    const { file, status, logged, reload } = await running();
    await file.write([{ name: 'acme', sha256: sha256('new') }]);
    expect([await status(KEY), await status('new')]).toEqual([200, 401]);
    await reload();
    expect([await status(KEY), await status('new')]).toEqual([401, 200]);
    expect(logged).toEqual([['info', `${file.path} was read again: 1 API keys.`]]);
  });

  test('changes nothing where it cannot be used, and says why', async () => {
    const { file, status, logged, reload } = await running();
    await file.write('[{');
    await reload();
    expect(await status(KEY)).toBe(200);
    expect(logged).toEqual([
      [
        'error',
        `The API keys stay as they were. API_KEYS_FILE="${file.path}" cannot be used:\n  the file is not JSON in UTF-8`,
      ],
    ]);
  });
});
