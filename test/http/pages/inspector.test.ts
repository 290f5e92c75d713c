// For a browser, the bare address is the page of the inspector.

import { type DefaultTreeAdapterTypes as Html, parse as parseHtml } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeDirectory, type FakeDirectory } from '../../support/fake-directory.ts';
import { createTestGateway, type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { exchange, headerValues } from '../exchange.ts';

const CHROMIUM = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

let gateway: ListeningGateway;
let directory: FakeDirectory;

beforeAll(async () => {
  directory = createFakeDirectory();
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

const fetchPage = (path: string) => exchange(gateway.url + path, { headers: { accept: CHROMIUM } });

function elementsOf(node: Html.ParentNode): Html.Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : []));
}

const attribute = (element: Html.Element, name: string) =>
  element.attrs.find((candidate) => candidate.name === name)?.value;

async function pageElements(): Promise<Html.Element[]> {
  return elementsOf(parseHtml((await fetchPage('/')).text));
}

describe('the page', () => {
  it.each(['/', '/?doi=10.1000/182', '/?query={__typename}'])(
    'is the response to a browser at %s',
    async (path) => {
      const callsBefore = directory.calls.resolve.length;
      const response = await fetchPage(path);
      expect([response.status, headerValues(response, 'content-type')]).toEqual([
        200,
        ['text/html; charset=utf-8'],
      ]);
      expect(response.text).toContain('<title>DOI inspector</title>');
      expect(directory.calls.resolve).toHaveLength(callsBefore);
    },
  );

  it('loads nothing from other hosts, and has nothing inline', async () => {
    const response = await fetchPage('/');
    expect(headerValues(response, 'content-security-policy').join().split('; ')).toEqual([
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

  it('links to no other host, and sends no referrer', async () => {
    const response = await fetchPage('/');
    expect(headerValues(response, 'referrer-policy')).toEqual(['no-referrer']);
    expect(headerValues(response, 'x-content-type-options')).toEqual(['nosniff']);
    const links = (await pageElements()).flatMap((element) =>
      ['src', 'href', 'action'].map((name) => attribute(element, name) ?? './'),
    );
    expect(links.filter((link) => !link.startsWith('./'))).toEqual([]);
  });

  it('is revalidated each time, and is sent only after a change', async () => {
    const first = await fetchPage('/');
    expect(headerValues(first, 'cache-control')).toEqual(['no-cache']);
    expect(headerValues(first, 'vary')).toEqual(['Accept, Accept-Encoding']);
    const [tag = ''] = headerValues(first, 'etag');
    const headers = { accept: CHROMIUM, 'if-none-match': tag };
    const again = await exchange(`${gateway.url}/`, { headers });
    expect([again.status, again.text, headerValues(again, 'etag')]).toEqual([304, '', [tag]]);
    const other = await exchange(`${gateway.url}/`, { headers: { ...headers, 'if-none-match': 'W/"1-x"' } });
    expect(other.status).toBe(200);
  });

  it('explains how to use the gateway without JavaScript, with addresses under PUBLIC_URL', async () => {
    const plain = await fetchPage('/');
    expect(plain.text).toMatch(
      /<noscript>[\s\S]*Replace <code>THIS-PAGE<\/code> by the address of this page[\s\S]*curl -s THIS-PAGE\/graphql[\s\S]*<\/noscript>/,
    );
    expect(plain.text).not.toContain('localhost');
    const named = await createTestGateway({ directory }, { PUBLIC_URL: 'https://doi.example.org/a&b' });
    const request = new Request('http://gateway.test/', { headers: { accept: CHROMIUM } });
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
    const request = new Request('http://gateway.test/', { headers: { accept: CHROMIUM } });
    const html = parseHtml(await (await other.app.fetch(request)).text());
    await other.close();
    return elementsOf(html).filter((element) => attribute(element, 'class') === 'sample');
  };

  it('says how many records the sample has, and how to use the live system', async () => {
    const [element] = await notice('EMBEDDED', 46);
    const text = JSON.stringify(element, (key, value: unknown) => (key === 'parentNode' ? undefined : value));
    expect(text).toContain('46 records held in memory, not the live DOI system.');
    expect(text).toContain('DOI_DIRECTORY_URL=https://doi.org');
  });

  it('is missing with a DOI proxy', async () => {
    expect(await notice('PROXY', null)).toEqual([]);
  });
});

describe('the guessed address /inspector', () => {
  it.each([
    ['/inspector', './'],
    ['/inspector/', '../'],
    ['/inspector?doi=10.1000/1&with=a', './?doi=10.1000/1&with=a'],
  ])('redirects from %s to the page', async (path, location) => {
    const response = await fetchPage(path);
    expect([response.status, headerValues(response, 'location')]).toEqual([308, [location]]);
    expect(new URL(location, gateway.url + path).pathname).toBe('/');
  });

  it('redirects to PUBLIC_URL', async () => {
    const named = await createTestGateway({ directory }, { PUBLIC_URL: 'https://doi.example.org/base' });
    const response = await named.app.fetch(new Request('http://gateway.test/inspector?doi=a'));
    expect(response.headers.get('location')).toBe('https://doi.example.org/base/?doi=a');
    await named.close();
  });

  it('hides no name of the REST face', async () => {
    const callsBefore = directory.calls.resolve.length;
    await fetchPage('/inspector');
    expect(directory.calls.resolve).toHaveLength(callsBefore);
    expect((await fetchPage('/inspector%2F1')).status).toBe(404);
    expect(directory.calls.resolve.slice(callsBefore)).toMatchObject([{ name: 'inspector/1' }]);
  });
});
