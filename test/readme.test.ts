// What README and docs/clients.md show is what one gets.

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestGateway, type TestGateway } from './support/gateway.ts';

const textOf = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

const readme = textOf('README.md');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await createTestGateway();
});
afterAll(() => gateway.close());

/** The first fenced block of a language behind a text of a page. */
function blockAfter(text: string, language: string, page = readme): string {
  const rest = page.slice(page.indexOf(text));
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(rest)?.[1] ?? '';
}

describe('README', () => {
  it('says how many records the sample has, and what becomes of every other DOI', async () => {
    const [, count = ''] = /(\d+) records, and any other DOI is reported as not found/.exec(readme) ?? [];
    const { data } = await gateway.query<{ doiDirectory: { records: number } }>(
      '{ doiDirectory { records } doi(input: "10.1000/none") { exists record { status } } }',
    );
    expect(data).toEqual({
      doiDirectory: { records: Number(count) },
      doi: { exists: false, record: { status: 'HANDLE_NOT_FOUND' } },
    });
  });

  it('leads, in its first lines, to sections that are there', () => {
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(
      ([, heading = '']) => `#${heading.toLowerCase().replaceAll(' ', '-')}`,
    );
    const anchors = links.filter((target) => target.startsWith('#'));
    expect(anchors.length).toBeGreaterThan(4);
    expect(headings).toEqual(expect.arrayContaining(anchors));
  });

  it('has a first request whose body is JSON, and its answer', async () => {
    const body = /-d '(.*)'/.exec(blockAfter('or ask from a shell', 'sh'))?.[1] ?? '';
    const { query } = JSON.parse(body) as { query: string };
    expect(await gateway.query(query)).toEqual(JSON.parse(blockAfter('or ask from a shell', 'json')));
  });

  it('shows the DOIs in a text as they are found', async () => {
    const section = '### Find DOIs in text';
    const answer = await gateway.query(blockAfter(section, 'graphql'));
    expect(answer).toEqual(JSON.parse(blockAfter(section, 'json')));
  });

  it('shows, in docs/clients.md, a query for the DOIs in a text that is answered', async () => {
    const query = blockAfter('Where the source is prose', 'graphql', textOf('docs/clients.md'));
    expect(query).toContain('findDois');
    const { data, errors } = await gateway.query<{ findDois: unknown[] }>(query, {
      text: 'doi:10.1000/182.',
    });
    expect(errors).toBeUndefined();
    expect(data.findDois).toMatchObject([{ text: 'doi:10.1000/182', doi: { exists: true } }]);
  });

  it('shows what a name names as it is', async () => {
    const section = '### What it names';
    const answer = await gateway.query(blockAfter(section, 'graphql'));
    expect(answer).toEqual(JSON.parse(blockAfter(section, 'json')));
  });

  it('shows a redirect as it is', async () => {
    const answer = await gateway.query(blockAfter('## Resolving', 'graphql'));
    expect(answer).toEqual(JSON.parse(blockAfter('## Resolving', 'json')));
  });

  it('shows an error as it is', async () => {
    const shown = JSON.parse(blockAfter('## Four outcomes', 'json')) as Record<string, unknown>;
    const inputs = ['10.1000/1', '10.1000/182', '10.1000/456', '10.1000/'];
    const { errors } = await gateway.query('query ($inputs: [String!]!) { dois(inputs: $inputs) { name } }', {
      inputs,
    });
    expect(errors).toMatchObject([shown]);
  });

  it('shows, in docs/clients.md, an answer in parts as it is', async () => {
    const block = blockAfter('## Streaming', 'console', textOf('docs/clients.md'));
    const [, body = '', answer = ''] = /-d '(.*?)'\n(.*)$/s.exec(block) ?? [];
    const response = await gateway.app.fetch(
      new Request('http://gateway.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body,
      }),
    );
    expect((await response.text()).trim()).toBe(answer.trim());
  });

  it('shows, in docs/clients.md, an operation by its id as it is', async () => {
    const page = textOf('docs/clients.md');
    const section = '## Queries by their hash';
    const folder = await mkdtemp(join(tmpdir(), 'readme-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [, file = ''] =
      /^PERSISTED_OPERATIONS=(\S+) npm start$/m.exec(blockAfter(section, 'sh', page)) ?? [];
    await writeFile(join(folder, file), blockAfter(section, 'json', page));
    const persisted = await createTestGateway({}, { PERSISTED_OPERATIONS: join(folder, file) });
    onTestFinished(() => persisted.close());
    const [, url = '', answer = ''] =
      /^\$ curl -s '(.*?)'\n(.*)\n$/s.exec(blockAfter(section, 'console', page)) ?? [];
    expect(await (await persisted.app.fetch(new Request(url))).text()).toBe(answer);
  });

  it('lists the forms of a name as the schema gives them', async () => {
    const rows = [...readme.matchAll(/^\| `(\w+)`(?:, also `id`)? \| `([^`]+)` \|$/gm)];
    const forms = rows.map(([, field = '', value = '']) => [field, value] as const);
    expect(forms.length).toBeGreaterThan(10);
    const { data } = await gateway.query<{ doi: Record<string, string> }>(
      `{ doi(input: "10.1000/456#789", form: NAME) { ${forms.map(([field]) => field).join(' ')} } }`,
    );
    expect(Object.entries(data.doi)).toEqual(forms);
  });
});
