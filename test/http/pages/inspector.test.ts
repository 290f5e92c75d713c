// The bare address: who gets the page and who the index, the page's headers, and its files.

import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { parse, validate } from 'graphql';
import { type DefaultTreeAdapterTypes as Html, parse as parseHtml } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLE_PAGES } from '../../../scripts/write-tables.ts';
import { inspectorDocuments } from '../../../src/http/pages/inspector.ts';
import { schema } from '../../../src/schema/index.ts';
import { createFakeDirectory, type FakeDirectory } from '../../support/fake-directory.ts';
import {
  createTestGateway,
  type ListeningGateway,
  startGateway,
  type TestGateway,
} from '../../support/gateway.ts';
import { exchange, get, graphqlResult, headerValues } from '../exchange.ts';

const chromiumAccepts = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

let gateway: ListeningGateway;
let inside: TestGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory();
  gateway = await startGateway({ directory });
  inside = await createTestGateway({ directory });
});

afterAll(async () => {
  await gateway.close();
  await inside.close();
});

const ask = (path: string, accept: string | null = chromiumAccepts, method = 'GET') =>
  exchange(gateway.url + path, { method, headers: accept === null ? {} : { accept } });

/** In-process, where bodies stay bytes. */
const fetchInside = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  inside.app.fetch(new Request(`http://gateway.test${path}`, { method, headers }));

function elementsOf(node: Html.ParentNode): Html.Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : []));
}

const attribute = (element: Html.Element, name: string) =>
  element.attrs.find((candidate) => candidate.name === name)?.value;

async function pageElements(): Promise<Html.Element[]> {
  return elementsOf(parseHtml((await ask('/')).text));
}

/** The files that the page links to, from the root of the origin. */
async function linkedPaths(): Promise<string[]> {
  return (await pageElements())
    .map((element) => attribute(element, 'src') ?? attribute(element, 'href') ?? '')
    .filter((path) => path.startsWith('./inspector/'))
    .map((path) => path.slice(1));
}

/** The files that a script imports, and those that it imports later. */
async function importsOf(path: string) {
  const text = await (await fetchInside(path)).text();
  const namesIn = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name = '']) => path.replace(/[^/]+$/, name));
  return {
    atOnce: namesIn(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+)["']/g),
    later: namesIn(/\bimport\(\s*["']\.\/([^"']+)["']/g),
  };
}

/** The page's own files, with the scripts that it loads later. */
async function filePaths(): Promise<string[]> {
  const paths = new Set(await linkedPaths());
  for (const path of paths) {
    if (!path.endsWith('.js')) continue;
    const { atOnce, later } = await importsOf(path);
    for (const imported of [...atOnce, ...later]) paths.add(imported);
  }
  return [...paths];
}

describe('the page', () => {
  it.each(['/', '/?doi=10.1000/182', '/?query={__typename}'])(
    'is what a browser gets at %s',
    async (path) => {
      const asked = directory.calls.resolve.length;
      const answer = await ask(path);
      expect([answer.status, headerValues(answer, 'content-type')]).toEqual([
        200,
        ['text/html; charset=utf-8'],
      ]);
      expect(answer.text).toContain('<title>DOI inspector</title>');
      expect(directory.calls.resolve).toHaveLength(asked);
    },
  );

  it('may load nothing from elsewhere, and has nothing inline, styles included', async () => {
    const answer = await ask('/');
    expect(headerValues(answer, 'content-security-policy').join().split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    const inline = (await pageElements()).filter(
      (element) =>
        element.tagName === 'style' ||
        (element.tagName === 'script' && attribute(element, 'src') === undefined) ||
        element.attrs.some(({ name }) => name === 'style' || name.startsWith('on')),
    );
    expect(inline).toEqual([]);
  });

  it('sends nobody elsewhere and tells nobody where its reader came from', async () => {
    const answer = await ask('/');
    expect(headerValues(answer, 'referrer-policy')).toEqual(['no-referrer']);
    expect(headerValues(answer, 'x-content-type-options')).toEqual(['nosniff']);
    const links = (await pageElements()).flatMap((element) =>
      ['src', 'href', 'action'].map((name) => attribute(element, name) ?? './'),
    );
    expect(links.filter((link) => !link.startsWith('./'))).toEqual([]);
  });

  it('is asked for anew each time, and sent only when it has changed', async () => {
    const first = await ask('/');
    expect(headerValues(first, 'cache-control')).toEqual(['no-cache']);
    expect(headerValues(first, 'vary')).toEqual(['Accept, Accept-Encoding']);
    const [tag = ''] = headerValues(first, 'etag');
    const headers = { accept: chromiumAccepts, 'if-none-match': tag };
    const again = await exchange(`${gateway.url}/`, { headers });
    expect([again.status, again.text, headerValues(again, 'etag')]).toEqual([304, '', [tag]]);
    const other = await exchange(`${gateway.url}/`, { headers: { ...headers, 'if-none-match': 'W/"1-x"' } });
    expect(other.status).toBe(200);
  });

  it('has headers and no body for HEAD', async () => {
    const answer = await ask('/', chromiumAccepts, 'HEAD');
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(headerValues(answer, 'content-type')).toEqual(['text/html; charset=utf-8']);
    expect(Number(headerValues(answer, 'content-length')[0])).toBeGreaterThan(1_000);
  });

  it('says what works without JavaScript, with the address that clients see', async () => {
    const plain = await ask('/');
    expect(plain.text).toMatch(
      /<noscript>[\s\S]*Replace <code>THIS-PAGE<\/code> by the address of this page[\s\S]*curl -s THIS-PAGE\/graphql[\s\S]*<\/noscript>/,
    );
    expect(plain.text).not.toContain('localhost');
    const named = await createTestGateway({ directory }, { PUBLIC_URL: 'https://doi.example.org/a&b' });
    const request = new Request('http://gateway.test/', { headers: { accept: chromiumAccepts } });
    const text = await (await named.app.fetch(request)).text();
    expect(text).toContain('curl -s https://doi.example.org/a&amp;b/graphql');
    expect(text).not.toMatch(/localhost|THIS-PAGE/);
    await named.close();
  });
});

describe('the notice of a sample', () => {
  const notice = async (kind: 'EMBEDDED' | 'PROXY', records: number | null) => {
    const description = { ...directory.description, kind, records };
    const other = await createTestGateway({ directory: { ...directory, description } });
    const request = new Request('http://gateway.test/', { headers: { accept: chromiumAccepts } });
    const html = parseHtml(await (await other.app.fetch(request)).text());
    await other.close();
    return elementsOf(html).filter((element) => attribute(element, 'class') === 'sample');
  };

  it('stands on the page, with the number of its records and how to leave it', async () => {
    const [element] = await notice('EMBEDDED', 46);
    const text = JSON.stringify(element, (key, value: unknown) => (key === 'parentNode' ? undefined : value));
    expect(text).toContain('46 records held in memory, not the live DOI system.');
    expect(text).toContain('DOI_DIRECTORY_URL=https://doi.org');
  });

  it('is not there with a DOI proxy', async () => {
    expect(await notice('PROXY', null)).toEqual([]);
  });
});

describe('the address that people guess', () => {
  it.each([
    ['/inspector', './'],
    ['/inspector/', '../'],
    ['/inspector?doi=10.1000/1&with=a', './?doi=10.1000/1&with=a'],
  ])('%s leads to the page', async (path, location) => {
    const answer = await ask(path);
    expect([answer.status, headerValues(answer, 'location')]).toEqual([308, [location]]);
    expect(new URL(location, gateway.url + path).pathname).toBe('/');
  });

  it('leads to PUBLIC_URL where that is known', async () => {
    const named = await createTestGateway({ directory }, { PUBLIC_URL: 'https://doi.example.org/base' });
    const answer = await named.app.fetch(new Request('http://gateway.test/inspector?doi=a'));
    expect(answer.headers.get('location')).toBe('https://doi.example.org/base/?doi=a');
    await named.close();
  });

  it('takes no name from the REST face', async () => {
    const asked = directory.calls.resolve.length;
    await ask('/inspector');
    expect(directory.calls.resolve).toHaveLength(asked);
    expect((await ask('/inspector%2F1')).status).toBe(404);
    expect(directory.calls.resolve.slice(asked)).toMatchObject([{ name: 'inspector/1' }]);
  });
});

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
  ])('is what a program gets that accepts %s', async (accept) => {
    const answer = await ask('/?doi=10.1000/182', accept);
    expect([answer.status, headerValues(answer, 'content-type')]).toEqual([
      200,
      ['application/json; charset=utf-8'],
    ]);
    expect(headerValues(answer, 'vary')).toEqual(['Accept']);
    expect(JSON.parse(answer.text)).toMatchObject({ name: 'doi-gateway', graphql: '/graphql' });
  });

  it('says what is where, and every place of it answers', async () => {
    const index = JSON.parse((await ask('/', '*/*')).text) as Record<string, unknown>;
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
      const answer = await get(gateway, path.replace('{names}', '10.1/a').replace('{name}', '10.1000/none'));
      expect([path, answer.text.startsWith('Not found. GraphQL is at')]).toEqual([path, false]);
      expect(headerValues(answer, 'content-type').join()).toMatch(/json|html|plain/);
    }
  });

  it('has absolute addresses under PUBLIC_URL alone, whatever the Host header says', async () => {
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
    const answer = await ask('/', null, 'HEAD');
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(headerValues(answer, 'content-type')).toEqual(['application/json; charset=utf-8']);
  });
});

describe('a query at the bare address', () => {
  it.each(['POST', 'PUT', 'DELETE'])('is told where GraphQL is, and not executed (%s)', async (method) => {
    const asked = directory.calls.resolve.length;
    const answer = await exchange(`${gateway.url}/`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ doi(input: \\"10.5555/1\\") { exists } }"}',
    });
    expect([answer.status, headerValues(answer, 'allow')]).toEqual([405, ['GET, HEAD, OPTIONS']]);
    expect(graphqlResult(answer).errors).toMatchObject([
      { message: expect.stringContaining('/graphql') as string, extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(directory.calls.resolve).toHaveLength(asked);
  });
});

describe('the files of the page', () => {
  it('are linked with their content in the address, and kept for good', async () => {
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    const paths = await filePaths();
    expect(paths.length).toBeGreaterThan(12);
    for (const path of paths) {
      const { status, headers } = await fetchInside(path);
      expect([path, status]).toEqual([path, 200]);
      expect(path).toMatch(/^\/inspector\/[0-9a-f]{16}\/[\w-]+\.\w+$/);
      expect(headers.get('content-type')).toContain(types[path.split('.').at(-1) ?? '']);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('Accept-Encoding');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('are one script at first. It loads the parser and the splitter of lists later', async () => {
    const scripts = (await linkedPaths()).filter((path) => path.endsWith('.js'));
    expect(scripts).toEqual([expect.stringMatching(/\/main\.js$/)]);
    const { atOnce, later } = await importsOf(scripts[0] ?? '');
    expect(atOnce).toEqual([]);
    const names = later.map((path) => path.replace(/^.*\/|-\w+\.js$/g, ''));
    expect(new Set(names)).toEqual(new Set(['read-at-once', 'references-in-words']));
  });

  it.each([
    ['br', 'gzip, deflate, br, zstd', promisify(brotliDecompress)],
    ['gzip', 'gzip', promisify(gunzip)],
  ] as const)('decode from %s to the same bytes, as does the page', async (encoding, accepted, decode) => {
    for (const path of ['/', ...(await filePaths())]) {
      const plain = await fetchInside(path, { accept: chromiumAccepts });
      const encoded = await fetchInside(path, { accept: chromiumAccepts, 'accept-encoding': accepted });
      expect(encoded.headers.get('content-encoding')).toBe(encoding);
      const bytes = Buffer.from(await encoded.arrayBuffer());
      expect(encoded.headers.get('content-length')).toBe(String(bytes.length));
      expect((await decode(bytes)).equals(Buffer.from(await plain.arrayBuffer())), path).toBe(true);
    }
  });

  it.each(['index.html', 'tsconfig.json', 'main.ts', 'unknown.js', '', '..%2fREADME.md', 'constructor'])(
    'do not include "%s"',
    async (name) => {
      const [path = ''] = await filePaths();
      const answer = await ask(path.replace(/[^/]+$/, name));
      expect(answer.status).toBe(404);
      expect(headerValues(answer, 'cache-control')).toEqual(['no-store']);
    },
  );

  it('are not found under an address of other content', async () => {
    expect((await ask('/inspector/0000000000000000/main.js')).status).toBe(404);
  });

  it('are only read', async () => {
    const [path = ''] = await filePaths();
    const answer = await ask(path, null, 'DELETE');
    expect([answer.status, headerValues(answer, 'allow')]).toEqual([405, ['GET, HEAD']]);
    const head = await ask(path, null, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('write no markup and no style of their own, and evaluate nothing', async () => {
    const texts = await Promise.all(
      (await filePaths())
        .filter((path) => path.endsWith('.js'))
        .map(async (path) => (await fetchInside(path)).text()),
    );
    expect(texts.join('\n')).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function|["'`]style["'`]/,
    );
  });
});

describe('the documents of the page', () => {
  it('are known to the server as the page sends them', async () => {
    const path = (await filePaths()).find((candidate) => candidate.endsWith('/main.js')) ?? '';
    const module = await (await fetchInside(path)).text();
    const documents = inspectorDocuments();
    expect(documents).toHaveLength(19);
    for (const document of documents) {
      const [opening = ''] = document.split('{');
      expect(module).toContain(opening);
    }
  });

  it('have types in inspector/query-types.ts', () => {
    const path = 'inspector/query-types.ts';
    const types = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    expect(types, 'run `npm run tables`').toBe(TABLE_PAGES[path]);
  });

  it.each(inspectorDocuments())('fit the schema: %s', (document) => {
    expect(validate(schema, parse(document))).toEqual([]);
  });

  it.each(inspectorDocuments())('are answered without an error: %s', async (document) => {
    const real = await createTestGateway();
    const variables = {
      input: document.includes('shortDoi') ? '10/p54k' : '10.123/456',
      text: 'See 10.123/456.',
      inputs: ['10.123/456'],
      a: '10.1000/1',
      b: '10.1000/182',
      parameters: { country: 'gb' },
      style: 'apa',
      references: [],
    };
    const { data, errors } = await real.query(document, variables);
    expect(errors).toBeUndefined();
    expect(data).not.toBeNull();
    await real.close();
  });
});
