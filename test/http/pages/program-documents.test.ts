// What programs read about the gateway: the schema, the OpenAPI document, the text for language models.

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

const get = (path: string, question: SentRequest = {}) => exchange(gateway.url + path, question);

const DOCUMENTS = [
  ['/schema.graphql', 'text/plain; charset=utf-8'],
  ['/schema-with-costs.graphql', 'text/plain; charset=utf-8'],
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
] as const;

describe.each(DOCUMENTS)('%s', (path, type) => {
  it('is kept by caches, and no page of a search', async () => {
    const answer = await get(path);
    expect([answer.status, headerValues(answer, 'content-type')]).toEqual([200, [type]]);
    expect(headerValues(answer, 'cache-control')).toEqual(['public, max-age=300']);
    expect(headerValues(answer, 'x-robots-tag')).toEqual(['noindex']);
    const [tag = ''] = headerValues(answer, 'etag');
    const again = await get(path, { headers: { 'if-none-match': tag } });
    expect([again.status, again.text, headerValues(again, 'etag')]).toEqual([304, '', [tag]]);
    const small = await get(path, { headers: { 'accept-encoding': 'gzip' } });
    expect([headerValues(small, 'content-encoding'), headerValues(small, 'etag')]).toEqual([['gzip'], [tag]]);
  });

  it('is read alone', async () => {
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    const sent = await get(path, { method: 'POST', body: 'x' });
    expect([sent.status, headerValues(sent, 'allow')]).toEqual([405, ['GET, HEAD, OPTIONS']]);
  });

  it('takes no name its place: others beside it are looked up as ever', async () => {
    const asked = directory.calls.resolve.length;
    await get(path);
    expect(directory.calls.resolve).toHaveLength(asked);
    await get(`${path}/182`);
    await get(`/10.1000${path}`);
    expect(directory.calls.resolve.slice(asked).map(({ name }) => name)).toEqual([
      `${path.slice(1)}/182`,
      `10.1000${path}`,
    ]);
  });

  it('is in the index', async () => {
    const index = await get('/', { headers: { accept: 'application/json' } });
    expect(index.text).toContain(`"${path}"`);
  });
});

describe('/schema.graphql', () => {
  it('is the schema in the language of GraphQL', async () => {
    const { text } = await get('/schema.graphql');
    expect(text).toBe(await readFile('schema.graphql', 'utf8'));
    expect(parse(text).definitions.length).toBeGreaterThan(50);
  });
});

describe('/schema-with-costs.graphql', () => {
  it('is the same schema with the prices, for Federation 2.9', async () => {
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

  it('begins its paths with PUBLIC_URL', async () => {
    const elsewhere = await startGateway({ directory }, { PUBLIC_URL: 'https://doi.example.org' });
    const { text } = await exchange(`${elsewhere.url}/openapi.json`);
    expect(JSON.parse(text)).toMatchObject({ servers: [{ url: 'https://doi.example.org' }] });
    const { text: llms } = await exchange(`${elsewhere.url}/llms.txt`);
    expect(llms).toContain('(https://doi.example.org/mcp)');
    await elsewhere.close();
  });
});

describe('/llms.txt', () => {
  it('has examples that the schema accepts, also for metadata, updates and BibTeX', async () => {
    const { text } = await get('/llms.txt');
    const examples = [...text.matchAll(/`((?:query|\{) .+?\})`/g)].map(([, example]) => example ?? '');
    expect(examples.flatMap((example) => validate(schema, parse(example)))).toEqual([]);
    for (const field of ['metadata {', 'updates {', 'citation(', 'bibtex', 'ris'])
      expect(examples.join('\n')).toContain(field);
    expect(text).toContain('Accept: application/x-bibtex');
  });

  it('begins as llmstxt.org asks, and its links are answered', async () => {
    const { text } = await get('/llms.txt');
    expect(text).toMatch(/^# .+\n\n> .+\n/);
    const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, path]) => path ?? '');
    expect(links).toEqual(['/mcp', '/graphql', '/schema.graphql', '/openapi.json', '/', '/readyz']);
    for (const path of links) {
      // Asked as a program would: what takes POST alone says so.
      const { status } = await get(path, { headers: { accept: 'application/json' } });
      expect([path, status]).toEqual([path, path === '/mcp' ? 405 : path === '/graphql' ? 400 : 200]);
    }
  });
});
