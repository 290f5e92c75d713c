// The documents of the gateway for programs: schema, OpenAPI, and the text for language models.

import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/schema/index.ts';
import { createFakeDirectory, type FakeDirectory } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { exchange, headerValues, type SentRequest } from '../exchange.ts';

let directory: FakeDirectory;
let gateway: ListeningGateway;

beforeAll(async () => {
  directory = createFakeDirectory();
  gateway = await startGateway({ directory });
});

afterAll(() => gateway.close());

const get = (path: string, sent: SentRequest = {}) => exchange(gateway.url + path, sent);

const DOCUMENTS = [
  ['/schema.graphql', 'text/plain; charset=utf-8'],
  ['/schema-with-costs.graphql', 'text/plain; charset=utf-8'],
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
] as const;

describe.each(DOCUMENTS)('%s', (path, type) => {
  it('can be cached, and search engines do not index it', async () => {
    const response = await get(path);
    expect([response.status, headerValues(response, 'content-type')]).toEqual([200, [type]]);
    expect(headerValues(response, 'cache-control')).toEqual(['public, max-age=300']);
    expect(headerValues(response, 'x-robots-tag')).toEqual(['noindex']);
    const [tag = ''] = headerValues(response, 'etag');
    const again = await get(path, { headers: { 'if-none-match': tag } });
    expect([again.status, again.text, headerValues(again, 'etag')]).toEqual([304, '', [tag]]);
    const small = await get(path, { headers: { 'accept-encoding': 'gzip' } });
    expect([headerValues(small, 'content-encoding'), headerValues(small, 'etag')]).toEqual([['gzip'], [tag]]);
  });

  it('allows GET and HEAD, without look-ups', async () => {
    const callsBefore = directory.calls.resolve.length;
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(directory.calls.resolve).toHaveLength(callsBefore);
    const sent = await get(path, { method: 'POST', body: 'x' });
    expect([sent.status, headerValues(sent, 'allow')]).toEqual([405, ['GET, HEAD, OPTIONS']]);
  });

  it('is in the index, and names that begin with its path still resolve', async () => {
    const index = await get('/', { headers: { accept: 'application/json' } });
    expect(index.text).toContain(`"${path}"`);
    const callsBefore = directory.calls.resolve.length;
    await get(`${path}/182`);
    await get(`/10.1000${path}`);
    const names = directory.calls.resolve.slice(callsBefore).map(({ name }) => name);
    expect(names).toEqual([`${path.slice(1)}/182`, `10.1000${path}`]);
  });
});

describe('/schema.graphql', () => {
  it('is the file schema.graphql', async () => {
    const { text } = await get('/schema.graphql');
    expect(text).toBe(await readFile('schema.graphql', 'utf8'));
    expect(parse(text).definitions.length).toBeGreaterThan(50);
  });
});

describe('/schema-with-costs.graphql', () => {
  it('is the same schema with prices for Federation 2.9', async () => {
    const { text } = await get('/schema-with-costs.graphql');
    expect(text).toContain('"https://specs.apollo.dev/federation/v2.9"');
    const withoutCosts = await get('/schema.graphql');
    const lines = (sdl: string) => sdl.replaceAll(/ @(?:cost|listSize)\(.*?\)/g, '').split('\n');
    expect(lines(text)).toEqual(expect.arrayContaining(lines(withoutCosts.text).slice(1)));
  });
});

describe('/openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { text } = await get('/openapi.json');
    const { valid, errors } = await new Validator().validate(JSON.parse(text) as Record<string, unknown>);
    expect([valid, errors]).toEqual([true, undefined]);
  });

  it('has PUBLIC_URL as its server, like the links of /llms.txt', async () => {
    const elsewhere = await startGateway({ directory }, { PUBLIC_URL: 'https://doi.example.org' });
    const { text } = await exchange(`${elsewhere.url}/openapi.json`);
    expect(JSON.parse(text)).toMatchObject({ servers: [{ url: 'https://doi.example.org' }] });
    const { text: llms } = await exchange(`${elsewhere.url}/llms.txt`);
    expect(llms).toContain('(https://doi.example.org/mcp)');
    await elsewhere.close();
  });
});

describe('/llms.txt', () => {
  it('has valid examples, also for metadata, updates and BibTeX', async () => {
    const { text } = await get('/llms.txt');
    const examples = [...text.matchAll(/`((?:query|\{) .+?\})`/g)].map(([, example]) => example ?? '');
    expect(examples.flatMap((example) => validate(schema, parse(example)))).toEqual([]);
    for (const field of ['metadata {', 'updates {', 'citation(', 'bibtex', 'ris'])
      expect(examples.join('\n')).toContain(field);
    expect(text).toContain('Accept: application/x-bibtex');
  });

  it('begins as llmstxt.org requires, and its links work', async () => {
    const { text } = await get('/llms.txt');
    expect(text).toMatch(/^# .+\n\n> .+\n/);
    const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, path]) => path ?? '');
    expect(links).toEqual(['/mcp', '/graphql', '/schema.graphql', '/openapi.json', '/', '/readyz']);
    for (const path of links) {
      // /mcp and /graphql need a POST.
      const { status } = await get(path, { headers: { accept: 'application/json' } });
      expect([path, status]).toEqual([path, path === '/mcp' ? 405 : path === '/graphql' ? 400 : 200]);
    }
  });
});
