// The files and the GraphQL documents of the inspector.

import { readFileSync } from 'node:fs';
import { parse, validate } from 'graphql';
import { type DefaultTreeAdapterTypes as Html, parse as parseHtml } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLE_PAGES } from '../../../scripts/write-tables.ts';
import { inspectorDocuments } from '../../../src/http/pages/inspector.ts';
import { schema } from '../../../src/schema/index.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { createTestGateway, type TestGateway } from '../../support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await createTestGateway({ directory: createFakeDirectory() });
});

afterAll(() => gateway.close());

const request = (path: string, headers: Record<string, string> = {}) =>
  gateway.app.fetch(new Request(`http://gateway.test${path}`, { headers }));

function elementsOf(node: Html.ParentNode): Html.Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : []));
}

const attribute = (element: Html.Element, name: string) =>
  element.attrs.find((candidate) => candidate.name === name)?.value;

async function pageElements(): Promise<Html.Element[]> {
  return elementsOf(parseHtml(await (await request('/', { accept: 'text/html' })).text()));
}

/** The files that the page links to, from the root of the origin. */
async function linkedPaths(): Promise<string[]> {
  return (await pageElements())
    .map((element) => attribute(element, 'src') ?? attribute(element, 'href') ?? '')
    .filter((path) => path.startsWith('./inspector/'))
    .map((path) => path.slice(1));
}

/** The files that a script imports at once or later. */
async function importsOf(path: string) {
  const text = await (await request(path)).text();
  const namesIn = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name = '']) => path.replace(/[^/]+$/, name));
  return {
    atOnce: namesIn(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+)["']/g),
    later: namesIn(/\bimport\(\s*["']\.\/([^"']+)["']/g),
  };
}

/** The files of the page, with the scripts that the page loads later. */
async function filePaths(): Promise<string[]> {
  const paths = new Set(await linkedPaths());
  for (const path of paths) {
    if (!path.endsWith('.js')) continue;
    const { atOnce, later } = await importsOf(path);
    for (const imported of [...atOnce, ...later]) paths.add(imported);
  }
  return [...paths];
}

describe('the files of the page', () => {
  it('are immutable, and have a hash of their content in their address', async () => {
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    const paths = await filePaths();
    expect(paths.length).toBeGreaterThan(12);
    for (const path of paths) {
      const { status, headers } = await request(path);
      expect([path, status]).toEqual([path, 200]);
      expect(path).toMatch(/^\/inspector\/[0-9a-f]{16}\/[\w-]+\.\w+$/);
      expect(headers.get('content-type')).toContain(types[path.split('.').at(-1) ?? '']);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('Accept-Encoding');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('include only one script, which loads the parser and the splitter of lists later', async () => {
    const scripts = (await linkedPaths()).filter((path) => path.endsWith('.js'));
    expect(scripts).toEqual([expect.stringMatching(/\/main\.js$/)]);
    const { atOnce, later } = await importsOf(scripts[0] ?? '');
    expect(atOnce).toEqual([]);
    const names = later.map((path) => path.replace(/^.*\/|-\w+\.js$/g, ''));
    expect(new Set(names)).toEqual(new Set(['read-at-once', 'references-in-words']));
  });

  it.each(['index.html', 'tsconfig.json', 'main.ts', 'unknown.js', '', '..%2fREADME.md', 'constructor'])(
    'do not include "%s"',
    async (name) => {
      const [path = ''] = await filePaths();
      const response = await request(path.replace(/[^/]+$/, name));
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('are not found under the hash of other content', async () => {
    expect((await request('/inspector/0000000000000000/main.js')).status).toBe(404);
  });

  it('write no markup and no inline style, and evaluate nothing', async () => {
    const texts = await Promise.all(
      (await filePaths())
        .filter((path) => path.endsWith('.js'))
        .map(async (path) => (await request(path)).text()),
    );
    expect(texts.join('\n')).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function|["'`]style["'`]/,
    );
  });
});

describe('the documents of the page', () => {
  it('are known to the server', async () => {
    const path = (await filePaths()).find((candidate) => candidate.endsWith('/main.js')) ?? '';
    const module = await (await request(path)).text();
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

  it.each(inspectorDocuments())('are valid: %s', (document) => {
    expect(validate(schema, parse(document))).toEqual([]);
  });

  it.each(inspectorDocuments())('have a result without errors: %s', async (document) => {
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
