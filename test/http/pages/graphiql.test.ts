import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { type DefaultTreeAdapterTypes as Html, parse as parseHtml } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphiqlExamples, wantsGraphiql } from '../../../src/http/pages/graphiql.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { createTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createHttpRequest } from '../../support/http-request.ts';
import { testTable } from '../../support/test-table.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await createTestGateway({ directory: createFakeDirectory() });
});

afterAll(() => gateway.close());

const CHROMIUM = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

async function request(path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> {
  return gateway.app.fetch(new Request(`http://gateway.test${path}`, { method, headers }));
}

async function fetchPage(): Promise<string> {
  return (await request('/graphql', { accept: CHROMIUM })).text();
}

function elementsOf(node: Html.ParentNode): Html.Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : []));
}

const attribute = (element: Html.Element, name: string) =>
  element.attrs.find((candidate) => candidate.name === name)?.value;

async function filePaths(): Promise<string[]> {
  const linked = elementsOf(parseHtml(await fetchPage()))
    .map((element) => attribute(element, 'src') ?? attribute(element, 'href'))
    .filter((path) => path !== undefined);
  const folder = linked[0]?.replace(/[^/]+$/, '') ?? '';
  return [...linked, ...['editor', 'graphql', 'json'].map((worker) => `${folder}${worker}.worker.js`)];
}

describe('the GraphiQL page', () => {
  it.each(['GET', 'HEAD'])('is the response of the endpoint to a browser with %s', async (method) => {
    const response = await request('/graphql', { accept: CHROMIUM }, method);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'Accept, Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    const html = await response.text();
    if (method === 'HEAD') expect(html).toBe('');
    else expect(html).toContain('<title>DOI gateway</title>');
  });

  it('loads nothing from another host, runs nothing inline and evaluates nothing', async () => {
    const { headers } = await request('/graphql', { accept: CHROMIUM });
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

  it('has no inline script, style or handler, and no absolute URL outside its data', async () => {
    const html = await fetchPage();
    const elements = elementsOf(parseHtml(html));
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
    const markup = html.replace(/<script type="application\/json"[\s\S]*<\/script>/, '');
    expect(markup).toContain('<div id="root">');
    expect(markup).not.toMatch(/https?:|\/\//);
  });

  it('has its options in an element, and no option can end the element', async () => {
    const block = /<script type="application\/json" id="graphiql-options">([\s\S]*?)<\/script>/.exec(
      await fetchPage(),
    );
    const options = JSON.parse(block?.[1] ?? '') as Record<string, unknown>;
    expect(block?.[1]).not.toContain('<');
    expect(options).toMatchObject({ endpoint: '/graphql', defaultTabs: graphiqlExamples });
    expect(options['shouldPersistHeaders']).toBe(false);
  });

  it.each(['GET', 'POST'])('does not replace the result of %s for a browser', async (method) => {
    const query = '{ __typename }';
    const isGet = method === 'GET';
    const url = `http://gateway.test/graphql${isGet ? `?${new URLSearchParams({ query })}` : ''}`;
    const headers = { accept: 'text/html, application/json;q=0.9', 'content-type': 'application/json' };
    const body = isGet ? null : JSON.stringify({ query });
    const response = await gateway.app.fetch(new Request(url, { method, headers, body }));
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });

  it('is not at another path', async () => {
    expect((await request('/other', { accept: CHROMIUM })).status).toBe(404);
  });

  testTable<[method: string, query: string, accept: string, wanted: boolean]>([
    ['GET', '', CHROMIUM, true],
    ['HEAD', '', CHROMIUM, true],
    ['GET', 'theme=dark', CHROMIUM, true],
    ['GET', 'operationName=A&variables=%7B%7D', CHROMIUM, true],
    ['POST', '', CHROMIUM, false],
    ['GET', '', 'application/json', false],
    ['GET', '', 'application/graphql-response+json, application/json;q=0.9', false],
    ['GET', '', 'application/json, text/html;q=0.5', false],
    ['GET', '', 'application/json, text/plain, */*', false],
    ['GET', '', '*/*', false],
    ['GET', '', 'text/html;q=0', false],
    ['GET', '', `text/html,${'a/b,'.repeat(3_000)}`, false],
    ['GET', 'query=%7B__typename%7D', CHROMIUM, false],
    ['GET', 'q%75ery', CHROMIUM, false],
    ['GET', 'x=1&documentId=a', CHROMIUM, false],
    ['GET', 'doc_id=a', CHROMIUM, false],
    ['GET', 'extensions=%7B%7D', CHROMIUM, false],
  ])(
    'is the response if the client prefers HTML and sends no operation: %s ?%s, Accept %s',
    (method, query, accept, wanted) => {
      const candidate = createHttpRequest(`/graphql?${query}`, { method, headers: { accept } });
      expect(wantsGraphiql(candidate)).toBe(wanted);
    },
  );
});

describe('the files of GraphiQL', () => {
  it.each([
    ['br', promisify(brotliDecompress)],
    ['gzip', promisify(gunzip)],
  ])('have the same bytes as %s', async (encoding, decode) => {
    for (const path of await filePaths()) {
      const plain = await request(path, {});
      const encoded = await request(path, { 'accept-encoding': encoding });
      expect(encoded.headers.get('content-encoding')).toBe(encoding);
      const bytes = Buffer.from(await encoded.arrayBuffer());
      expect(encoded.headers.get('content-length')).toBe(String(bytes.length));
      expect((await decode(bytes)).equals(Buffer.from(await plain.arrayBuffer())), path).toBe(true);
    }
  });

  it('are not compressed for a client that accepts no coding', async () => {
    const [path = ''] = await filePaths();
    const response = await request(path, { 'accept-encoding': 'zstd' });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toContain('<svg');
  });

  it('are immutable, with their types and safe headers', async () => {
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    const paths = await filePaths();
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

  it('contain their fonts and pictures', async () => {
    const path = (await filePaths()).find((candidate) => candidate.endsWith('.css')) ?? '';
    const css = await (await request(path, {})).text();
    const fetched = [...css.matchAll(/url\(\s*["']?([^)]{0,20})/g)].filter(
      ([, url]) => !url?.startsWith('data:'),
    );
    expect(fetched).toEqual([]);
    expect(css).not.toContain('@import');
  });

  it('have the headers of GET for HEAD, and refuse other methods', async () => {
    const [path = ''] = await filePaths();
    const headers = { 'accept-encoding': 'gzip', 'x-request-id': 'same' };
    const got = await request(path, headers);
    const head = await request(path, headers, 'HEAD');
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(got.headers));
    expect(await head.text()).toBe('');
    const refused = await request(path, {}, 'DELETE');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['unknown.js', '', '../graphql', 'constructor', 'graphiql.js/', 'GRAPHIQL.JS'])(
    'do not include "%s"',
    async (name) => {
      const [path = ''] = await filePaths();
      const response = await request(path.replace(/[^/]+$/, name), {});
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('are not found under the hash of another version', async () => {
    expect((await request('/graphiql/0.0.0-00000000/graphiql.js', {})).status).toBe(404);
  });
});
