// For a program, the bare address is the index of all faces.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeDirectory, type FakeDirectory } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { exchange, get, graphqlResult, headerValues } from '../exchange.ts';

let gateway: ListeningGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory();
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

const fetchPage = (path: string, accept: string | null, method = 'GET') =>
  exchange(gateway.url + path, { method, headers: accept === null ? {} : { accept } });

describe('the index', () => {
  it.each([
    null,
    '*/*',
    'application/json',
    'application/graphql-response+json, application/json;q=0.9',
    'application/json, text/plain, */*',
    'application/json, text/html;q=0.5',
    'text/html;q=0',
    'image/png',
  ])('is the response to a program that accepts %s', async (accept) => {
    const response = await fetchPage('/?doi=10.1000/182', accept);
    expect([response.status, headerValues(response, 'content-type')]).toEqual([
      200,
      ['application/json; charset=utf-8'],
    ]);
    expect(headerValues(response, 'vary')).toEqual(['Accept']);
    expect(JSON.parse(response.text)).toMatchObject({ name: 'doi-gateway', graphql: '/graphql' });
  });

  it('has the addresses of all faces, and each address works', async () => {
    const index = JSON.parse((await fetchPage('/', '*/*')).text) as Record<string, unknown>;
    expect(Object.keys(index)).toEqual([
      'name',
      'version',
      'description',
      'graphql',
      'schema',
      'schemaWithCosts',
      'graphiql',
      'inspector',
      'rest',
      'mcp',
      'llms',
      'health',
      'documentation',
    ]);
    expect(index['version']).toMatch(/^\d+\.\d+\.\d+/);
    const { rest, health } = index as { rest: Record<string, string>; health: Record<string, string> };
    for (const path of [...Object.values(health), ...Object.values(rest)]) {
      const response = await get(
        gateway,
        path.replace('{names}', '10.1/a').replace('{name}', '10.1000/none'),
      );
      expect([path, response.text.startsWith('Not found. GraphQL is at')]).toEqual([path, false]);
      expect(headerValues(response, 'content-type').join()).toMatch(/json|html|plain/);
    }
  });

  it('has absolute addresses only with PUBLIC_URL, and never uses the Host header', async () => {
    const spoofed = await exchange(`${gateway.url}/`, { headers: { host: 'evil.example' } });
    expect(spoofed.text).not.toContain('evil');
    const named = await startGateway({ directory }, { PUBLIC_URL: 'https://doi.example.org/base/' });
    const index = JSON.parse((await get(named, '/')).text) as Record<string, unknown>;
    expect(index).toMatchObject({
      graphql: 'https://doi.example.org/base/graphql',
      rest: { redirect: 'https://doi.example.org/base/{name}' },
    });
    await named.close();
  });

  it('has headers and no body for HEAD', async () => {
    const response = await fetchPage('/', null, 'HEAD');
    expect([response.status, response.text]).toEqual([200, '']);
    expect(headerValues(response, 'content-type')).toEqual(['application/json; charset=utf-8']);
  });
});

describe('a query to the bare address', () => {
  it.each(['POST', 'PUT', 'DELETE'])(
    'is refused with the address of GraphQL, and not executed: %s',
    async (method) => {
      const callsBefore = directory.calls.resolve.length;
      const response = await exchange(`${gateway.url}/`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ doi(input: \\"10.5555/1\\") { exists } }"}',
      });
      expect([response.status, headerValues(response, 'allow')]).toEqual([405, ['GET, HEAD, OPTIONS']]);
      expect(graphqlResult(response).errors).toMatchObject([
        { message: expect.stringContaining('/graphql') as string, extensions: { code: 'BAD_USER_INPUT' } },
      ]);
      expect(directory.calls.resolve).toHaveLength(callsBefore);
    },
  );
});
