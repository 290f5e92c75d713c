// The permissions, the accepted messages and the limits of /mcp over HTTP.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Environment } from '../../../src/config.ts';
import { exchange, headerValues, type ReceivedResponse } from '../../http/exchange.ts';
import { bearer, createKeysFile } from '../../http/request/clients/api-key-files.ts';
import { requestedNames, sendJson, startDirectoryServer } from '../../support/directory-server.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { argumentsFor, startMcpGateway } from './mcp-gateway.ts';

let gateway: ListeningGateway | undefined;

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

const RECORDS = { '10.1000/182': [urlValue('https://example.org/182')] };
const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const call = (name: string, given: object, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

async function send(
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  env: Environment = {},
): Promise<ReceivedResponse> {
  gateway ??= await startGateway({ directory: createFakeDirectory({ records: RECORDS }) }, env);
  return exchange(`${gateway.url}/mcp`, { method: 'POST', headers: { ...TYPES, ...headers }, body });
}

const PARSE = JSON.stringify(call('parse_doi', { input: '10.1000/182' }));

function errorOf({ text }: ReceivedResponse): { readonly code: number; readonly message: string } {
  return (JSON.parse(text) as { error: { code: number; message: string } }).error;
}

describe('a request', () => {
  it.each([
    ['a program that uses an IP address', {}],
    ['a program that uses a private name', { host: 'gateway:4000' }],
    ['a program that uses a name of the cluster', { host: 'gateway.default.svc.cluster.local' }],
    ['a page of the gateway itself', { host: 'localhost:4000', origin: 'http://localhost:4000' }],
    ['a page of the gateway at an IPv6 address', { host: '[::1]:4000', origin: 'http://[::1]:4000' }],
    ['a program that uses the public name', { host: 'doi.example.org' }],
    ['a page of the public address', { host: 'doi.example.org', origin: 'https://doi.example.org' }],
    [
      'a page of the public address behind a balancer',
      { host: 'gateway:4000', origin: 'https://doi.example.org' },
    ],
  ])('of %s is accepted', async (_, headers) => {
    const response = await send(PARSE, headers, { PUBLIC_URL: 'https://doi.example.org' });
    expect([response.status, headerValues(response, 'cache-control')]).toEqual([200, ['no-store']]);
  });

  it.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    [
      'a page whose foreign host name leads to the gateway',
      { host: 'evil.example:4000', origin: 'http://evil.example:4000' },
    ],
    ['a program that uses a foreign name', { host: 'evil.example' }],
    ['a page that hides its origin', { origin: 'null' }],
    ['a page at another port', { host: 'localhost:4000', origin: 'http://localhost:8080' }],
    ['a browser extension', { host: 'localhost:4000', origin: 'chrome-extension://localhost:4000' }],
    [
      'a program that uses a foreign name with the beginning of a private name',
      { host: 'localhost.evil.example' },
    ],
  ])('of %s is refused with 403', async (_, headers) => {
    const response = await send(PARSE, headers, { PUBLIC_URL: 'https://doi.example.org' });
    expect([response.status, errorOf(response).code]).toEqual([403, -32_000]);
    expect(headerValues(response, 'cache-control')).toEqual(['no-store']);
  });

  it('without an API key is refused if the gateway requires a key', async () => {
    const keys = await createKeysFile();
    onTestFinished(() => keys.remove());
    const env = { API_KEYS_FILE: keys.path, PUBLIC_ACCESS: 'no' };
    const refused = await send(PARSE, {}, env);
    expect([refused.status, headerValues(refused, 'www-authenticate')]).toEqual([
      401,
      ['Bearer realm="DOI gateway"'],
    ]);
    expect(errorOf(refused).message).toContain('API key');
    expect((await send(PARSE, bearer())).status).toBe(200);
  });
});

describe('messages', () => {
  it.each(['GET', 'HEAD', 'DELETE', 'PUT'])(
    'of the method %s are refused with 405, because there are no sessions',
    async (method) => {
      await send(PARSE);
      const response = await exchange(`${gateway?.url}/mcp`, { method, headers: TYPES });
      expect([response.status, headerValues(response, 'allow')]).toEqual([405, ['POST, OPTIONS']]);
    },
  );

  it.each([
    ['a body of another type', 'text/plain', {}],
    ['a body compressed by Brotli', 'application/json', { 'content-encoding': 'br' }],
  ])('in %s are refused with 415', async (_, type, headers) => {
    expect((await send(PARSE, { 'content-type': type, ...headers })).status).toBe(415);
  });

  it('in a body compressed by gzip are unpacked', async () => {
    expect((await send(gzipSync(PARSE), { 'content-encoding': 'gzip' })).status).toBe(200);
  });

  it.each([
    ['a body that is not JSON', '{', 'The request body is not JSON.'],
    ['an empty body', '', 'The request body is not JSON.'],
    ['a body with too many levels', '['.repeat(100_000), 'The request body has more than 200 levels.'],
  ])('in %s are refused with 400 and the reason', async (_, body, message) => {
    const response = await send(body);
    expect([response.status, errorOf(response)]).toEqual([400, { code: -32_700, message }]);
  });

  it.each(['null', '1', '"x"', '[]', '{}', '[null]', '{"jsonrpc":"2.0","method":1,"id":1}'])(
    'do not include %s, which is refused',
    async (body) => {
      expect((await send(body)).status).toBe(400);
    },
  );

  it('in a body larger than MAX_BODY_BYTES are refused with 413', async () => {
    const response = await send(
      JSON.stringify(call('find_dois', { text: 'x'.repeat(2_000) })),
      {},
      { MAX_BODY_BYTES: '1000' },
    );
    expect([response.status, errorOf(response).code]).toEqual([413, -32_000]);
  });

  it('get results in a batch of ten, and a batch of eleven is refused', async () => {
    const messages = Array.from({ length: 11 }, (_, i) => call('parse_doi', { input: `10.1000/${i}` }, i));
    const response = await send(JSON.stringify(messages.slice(0, 10)));
    expect([response.status, response.text.match(/"structuredContent"/g)?.length]).toEqual([200, 10]);
    const refused = await send(JSON.stringify(messages));
    expect([refused.status, errorOf(refused).code]).toEqual([400, -32_600]);
  });

  it.each([
    ['a second message with the same id', call('parse_doi', { input: '10.1000/2' })],
    [
      'the cancellation of the message',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    ],
  ])('are refused in a batch with %s, because the response would never end', async (_, other) => {
    const response = await send(JSON.stringify([call('check_references', { text: '10.1000/182' }), other]));
    expect([response.status, errorOf(response).code]).toEqual([400, -32_600]);
  });

  it('with an unknown tool or wrong arguments get an error with a reason', async () => {
    const unknown = await send(JSON.stringify(call('delete_everything', {})));
    expect(unknown.text).toContain('Tool delete_everything not found');
    const unfit = await send(JSON.stringify(call('find_dois', { text: 7 })));
    expect(unfit.text).toContain('expected string, received number');
    const endless = await send(JSON.stringify(call('resolve_doi', { doi: 'x'.repeat(2_001) })));
    expect(endless.text).toContain('expected string to have <=2000 characters');
    const many = await send(JSON.stringify(call('find_dois', { text: 'x', more: Array(200).fill(0) })));
    expect(many.text).toContain('more than the maximum of 100 elements');
  });

  it('that subscribe to changes are refused, because the tools never change', async () => {
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        filter: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const response = await send(JSON.stringify(listen), headers);
    expect(response.text).toContain('Subscription limit reached');
  });
});

describe('limits', () => {
  it('a tool reads a text of 1 MB only up to the end of its report', async () => {
    const directory = createFakeDirectory({ records: RECORDS });
    const mcp = await startMcpGateway({ directory });
    const text = '10.1000/182 '.repeat(80_000);
    const { structured: checked } = await mcp.call('check_references', { text });
    expect([checked['counts'], checked.continueAt]).toEqual([
      { found: 1, absent: 0, cannotTell: 0 },
      500 * '10.1000/182 '.length,
    ]);
    const { structured: found } = await mcp.call('find_dois', { text });
    expect(found.continueAt).toBe(200 * '10.1000/182 '.length);
    expect(directory.calls.resolve).toHaveLength(1);
    await mcp.close();
  });

  it('a name of 1 MB needs little time', async () => {
    const mcp = await startMcpGateway({ directory: createFakeDirectory() });
    const { structured } = await mcp.call('check_references', { text: `10.1000/${'x'.repeat(1_000_000)}` });
    expect(structured).toMatchObject({ counts: { tooLong: 1 }, references: [] });
    await mcp.close();
  });

  it('tools and GraphQL share the budget of the client', async () => {
    const directory = await startDirectoryServer((request, response) => {
      const [handle] = requestedNames(request).names;
      sendJson(response, 200, { responseCode: 1, handle, values: [urlValue('https://example.org/')] });
    });
    onTestFinished(() => directory.close());
    // The window of this budget is so long that it does not end during the test.
    const env = {
      DOI_DIRECTORY_URL: directory.url.href,
      CLIENT_LOOKUPS_PER_SECOND: '1',
    };
    gateway = await startGateway({ limits: { clientBurst: 600 } }, env);
    const text = '10.1000/a, 10.1000/b and 10.1000/c.';
    expect(left(await send(JSON.stringify(call('check_references', { text }))))).toBe(591);
    expect(left(await send(JSON.stringify(call('find_dois', { text }))))).toBe(591);
    const query = '{"query":"{ doi(input: \\"10.1000/d\\") { exists } }"}';
    const graphql = { method: 'POST', headers: TYPES, body: query };
    expect(left(await exchange(`${gateway.url}/graphql`, graphql))).toBe(590);
    const elsewhere = { ...graphql, localAddress: '127.0.0.9', body: query.replace('/d', '/e') };
    expect(left(await exchange(`${gateway.url}/graphql`, elsewhere))).toBe(599);
  });

  it('every tool works if the gateway executes only known operations', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'operations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'operations.json');
    await writeFile(file, '{"none": "{ __typename }"}');
    const env = { PERSISTED_OPERATIONS: file, PERSISTED_ONLY: 'yes' };
    const mcp = await startMcpGateway({ directory: createFakeDirectory({ records: RECORDS }) }, env);
    onTestFinished(() => mcp.close());
    for (const [name, given] of Object.entries(argumentsFor('10.1000/182'))) {
      expect(await mcp.call(name, given)).toMatchObject({ isError: false });
    }
  });
});

/** The remaining look-ups of the client. */
function left(response: ReceivedResponse): number {
  return Number(/;r=(\d+);/.exec(headerValues(response, 'ratelimit').join())?.[1]);
}
