import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { type DefaultTreeAdapterTypes as Html, parse as parseHtml } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphiqlExamples, wantsGraphiql } from '../../../src/http/pages/graphiql.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { createTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createHttpRequest } from '../../support/http-request.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await createTestGateway({ directory: createFakeDirectory() });
});

afterAll(() => gateway.close());

const chromiumAccepts = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

async function request(path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> {
  return gateway.app.fetch(new Request(`http://gateway.test${path}`, { method, headers }));
}

async function page(): Promise<string> {
  return (await request('/graphql', { accept: chromiumAccepts })).text();
}

function elementsOf(node: Html.ParentNode): Html.Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : []));
}

const attribute = (element: Html.Element, name: string) =>
  element.attrs.find((candidate) => candidate.name === name)?.value;

async function assetPaths(): Promise<string[]> {
  const linked = elementsOf(parseHtml(await page()))
    .map((element) => attribute(element, 'src') ?? attribute(element, 'href'))
    .filter((path) => path !== undefined);
  const folder = linked[0]?.replace(/[^/]+$/, '') ?? '';
  return [...linked, ...['editor', 'graphql', 'json'].map((worker) => `${folder}${worker}.worker.js`)];
}

describe('the GraphiQL page', () => {
  it('is what a browser gets at the endpoint', async () => {
    const response = await request('/graphql', { accept: chromiumAccepts });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toContain('<title>DOI gateway</title>');
  });

  it('may load nothing from elsewhere, run nothing inline and evaluate nothing', async () => {
    const { headers } = await request('/graphql', { accept: chromiumAccepts });
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('has no inline script, style or handler', async () => {
    const elements = elementsOf(parseHtml(await page()));
    const inline = elements.filter(
      (element) =>
        element.tagName === 'style' ||
        (element.tagName === 'script' &&
          attribute(element, 'src') === undefined &&
          attribute(element, 'type') !== 'application/json') ||
        element.attrs.some(({ name }) => name === 'style' || name.startsWith('on')),
    );
    expect(inline).toEqual([]);
    expect(elements.filter(({ tagName }) => tagName === 'script')).toHaveLength(3);
  });

  it('has no absolute URL outside its data', async () => {
    const markup = (await page()).replace(/<script type="application\/json"[\s\S]*<\/script>/, '');
    expect(markup).toContain('<div id="root">');
    expect(markup).not.toMatch(/https?:|\/\//);
  });

  it('hands its options to GraphiQL as data that cannot end their element', async () => {
    const block = /<script type="application\/json" id="graphiql-options">([\s\S]*?)<\/script>/.exec(
      await page(),
    );
    const options = JSON.parse(block?.[1] ?? '') as Record<string, unknown>;
    expect(block?.[1]).not.toContain('<');
    expect(options).toMatchObject({ endpoint: '/graphql', defaultTabs: graphiqlExamples });
    expect(options['shouldPersistHeaders']).toBe(false);
  });

  it('has headers and no body for HEAD', async () => {
    const response = await request('/graphql', { accept: chromiumAccepts }, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toBe('');
  });

  it.each([
    ['application/json'],
    ['application/graphql-response+json, application/json;q=0.9'],
    ['application/json, text/html;q=0.5'],
    ['application/json, text/plain, */*'],
    ['*/*'],
    ['text/html;q=0'],
  ])('is not for a client that accepts %s', async (accept) => {
    const response = await request('/graphql', { accept });
    expect(response.headers.get('content-type') ?? '').not.toContain('text/html');
    expect(response.headers.get('content-security-policy')).toBeNull();
  });

  it('does not stand in the way of a query, also where a browser brings it', async () => {
    const response = await request('/graphql?query={__typename}', { accept: chromiumAccepts });
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });

  it('does not stand in the way of POST', async () => {
    const headers = { accept: 'text/html, application/json;q=0.9', 'content-type': 'application/json' };
    const body = JSON.stringify({ query: '{ __typename }' });
    const response = await gateway.app.fetch(
      new Request('http://gateway.test/graphql', { method: 'POST', headers, body }),
    );
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });

  it('is at the endpoint alone', async () => {
    expect((await request('/other', { accept: chromiumAccepts })).status).toBe(404);
  });
});

describe('who sees the page', () => {
  it.each([
    ['GET', '', chromiumAccepts, true],
    ['HEAD', '', chromiumAccepts, true],
    ['GET', 'theme=dark', chromiumAccepts, true],
    ['GET', 'operationName=A&variables=%7B%7D', chromiumAccepts, true],
    ['POST', '', chromiumAccepts, false],
    ['GET', '', 'application/json, text/html;q=0.5', false],
    ['GET', '', `text/html,${'a/b,'.repeat(3_000)}`, false],
    ['GET', 'query=%7B__typename%7D', chromiumAccepts, false],
    ['GET', 'q%75ery', chromiumAccepts, false],
    ['GET', 'x=1&documentId=a', chromiumAccepts, false],
    ['GET', 'doc_id=a', chromiumAccepts, false],
    ['GET', 'extensions=%7B%7D', chromiumAccepts, false],
  ])('%s /graphql?%s, Accept %s: %s', (method, query, accept, isSeen) => {
    const request = createHttpRequest(`/graphql?${query}`, { method, headers: { accept } });
    expect(wantsGraphiql(request)).toBe(isSeen);
  });
});

describe('the files of GraphiQL', () => {
  const encodings = [
    ['br', 'gzip, deflate, br, zstd', promisify(brotliDecompress)],
    ['gzip', 'gzip, deflate', promisify(gunzip)],
    ['gzip', 'gzip, br;q=0.5', promisify(gunzip)],
  ] as const;

  it.each(encodings)('decode from %s to the same bytes', async (encoding, accepted, decode) => {
    for (const path of await assetPaths()) {
      const plain = await request(path, {});
      const encoded = await request(path, { 'accept-encoding': accepted });
      expect(encoded.headers.get('content-encoding')).toBe(encoding);
      const bytes = Buffer.from(await encoded.arrayBuffer());
      expect(encoded.headers.get('content-length')).toBe(String(bytes.length));
      expect((await decode(bytes)).equals(Buffer.from(await plain.arrayBuffer())), path).toBe(true);
    }
  });

  it('are plain for a client that takes neither encoding', async () => {
    const [path = ''] = await assetPaths();
    for (const accepted of ['', 'identity', 'br;q=0, gzip;q=0', 'zstd']) {
      const response = await request(path, { 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(await response.text()).toContain('<svg');
    }
  });

  it('are kept by browsers for good, as what they are', async () => {
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    const paths = await assetPaths();
    expect(paths).toHaveLength(7);
    for (const path of paths) {
      const { headers, status } = await request(path, { 'accept-encoding': 'br' });
      expect(status, path).toBe(200);
      expect(path).toMatch(/^\/graphiql\/[^/]*[0-9a-f]{8}\//);
      expect(headers.get('content-type')).toContain(types[path.split('.').at(-1) ?? '']);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('Accept-Encoding');
      expect(headers.get('etag')).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'");
    }
  });

  it('bring their fonts and pictures along', async () => {
    const path = (await assetPaths()).find((candidate) => candidate.endsWith('.css')) ?? '';
    const css = await (await request(path, {})).text();
    const fetched = [...css.matchAll(/url\(\s*["']?([^)]{0,20})/g)].filter(
      ([, url]) => !url?.startsWith('data:'),
    );
    expect(fetched).toEqual([]);
    expect(css).not.toContain('@import');
  });

  it('have headers and no body for HEAD', async () => {
    const [path = ''] = await assetPaths();
    const headers = { 'accept-encoding': 'gzip', 'x-request-id': 'same' };
    const get = await request(path, headers);
    const head = await request(path, headers, 'HEAD');
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    expect(await head.text()).toBe('');
  });

  it.each(['unknown.js', '', '../graphql', 'constructor', 'graphiql.js/', 'GRAPHIQL.JS'])(
    'do not include "%s"',
    async (name) => {
      const [path = ''] = await assetPaths();
      const response = await request(path.replace(/[^/]+$/, name), {});
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('are not found under an address of other content', async () => {
    expect((await request('/graphiql/0.0.0-00000000/graphiql.js', {})).status).toBe(404);
  });

  it('are only read', async () => {
    const [path = ''] = await assetPaths();
    const response = await request(path, {}, 'DELETE');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});
