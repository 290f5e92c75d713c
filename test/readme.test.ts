// README, docs/names.md, docs/rest.md and docs/clients.md show the responses of the gateway.

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestGateway, startGateway, type TestGateway } from './support/gateway.ts';
import { rawRequest } from './support/raw-http.ts';

const textOf = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

const readme = textOf('README.md');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await createTestGateway();
});
afterAll(() => gateway.close());

/** The first fenced block of a language after a text of a page. */
function blockAfter(text: string, language: string, page = readme): string {
  const rest = page.slice(page.indexOf(text));
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(rest)?.[1] ?? '';
}

describe('README', () => {
  it('says how many records the sample has, and that other DOIs are absent', async () => {
    const [, count = ''] = /(\d+) records\. It reports any other DOI as absent/.exec(readme) ?? [];
    const { data } = await gateway.query<{ doiDirectory: { records: number } }>(
      '{ doiDirectory { records } doi(input: "10.1000/none") { exists record { status } } }',
    );
    expect(data).toEqual({
      doiDirectory: { records: Number(count) },
      doi: { exists: false, record: { status: 'HANDLE_NOT_FOUND' } },
    });
  });

  it('shows the response to a list with a bad name', async () => {
    const section = '## Many names, one of them bad';
    const response = await gateway.query(blockAfter(section, 'graphql'));
    expect(response).toEqual(JSON.parse(blockAfter(section, 'json')));
  });

  it('lists every query of the schema, and no others', () => {
    const table = readme.slice(readme.indexOf('| query | result |'), readme.indexOf('| field of `DOI` |'));
    const listed = [...table.matchAll(/`(\w+)(?:\(.*?\))?`(?=[^|]*\|)/g)].map(([, name = '']) => name);
    const [, fields = ''] = /^type Query \{\n(.*?)^\}/ms.exec(textOf('schema.graphql')) ?? [];
    const queries = [...fields.matchAll(/^ {2}([a-z]\w*)\b/gm)].map(([, name = '']) => name);
    expect(new Set(listed.filter((name) => /^[a-z]/.test(name)))).toEqual(new Set(queries));
  });

  it('shows a first request and its response', async () => {
    const body = /-d '(.*)'/.exec(blockAfter('## A first query', 'sh'))?.[1] ?? '';
    const { query } = JSON.parse(body) as { query: string };
    expect(await gateway.query(query)).toEqual(JSON.parse(blockAfter('## A first query', 'json')));
  });
});

describe('docs/rest.md', () => {
  it('shows the responses to its requests', async () => {
    const shown = [...textOf('docs/rest.md').matchAll(/^\$ curl \S+ ('.*)\n([^`]+)```/gm)];
    expect(shown).toHaveLength(3);
    const { url, close } = await startGateway();
    onTestFinished(close);
    for (const [, request = '', response] of shown) {
      const [, accept = '*/*'] = /'Accept: (.*?)'/.exec(request) ?? [];
      const [, path = ''] = /localhost:4000([^' ]+)/.exec(request) ?? [];
      const { body } = await rawRequest(url, path, { headers: { accept } });
      expect(body.trimEnd()).toBe(response?.trimEnd());
    }
  });
});

describe('docs/names.md', () => {
  const page = textOf('docs/names.md');

  it.each(['## Names in a text', '## Titles and citations', '## Redirection'])(
    'shows the response to the query in the section %s',
    async (section) => {
      const response = await gateway.query(blockAfter(section, 'graphql', page));
      expect(response).toEqual(JSON.parse(blockAfter(section, 'json', page)));
    },
  );

  it('lists the forms of a name', async () => {
    const rows = [...page.matchAll(/^\| `(\w+)`(?:, also `id`)? \| `([^`]+)` \|$/gm)];
    const forms = rows.map(([, field = '', value = '']) => [field, value] as const);
    expect(forms.length).toBeGreaterThan(10);
    const { data } = await gateway.query<{ doi: Record<string, string> }>(
      `{ doi(input: "10.1000/456#789", form: NAME) { ${forms.map(([field]) => field).join(' ')} } }`,
    );
    expect(Object.entries(data.doi)).toEqual(forms);
  });
});

describe('docs/clients.md', () => {
  it('shows a response in parts', async () => {
    const block = blockAfter('## Streaming', 'console', textOf('docs/clients.md'));
    const [, body = '', shown = ''] = /-d '(.*?)'\n(.*)$/s.exec(block) ?? [];
    const response = await gateway.app.fetch(
      new Request('http://gateway.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body,
      }),
    );
    expect((await response.text()).trim()).toBe(shown.trim());
  });

  it('shows an operation by its id', async () => {
    const page = textOf('docs/clients.md');
    const section = '## Queries by their hash';
    const folder = await mkdtemp(join(tmpdir(), 'readme-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [, file = ''] =
      /^PERSISTED_OPERATIONS=(\S+) npm start$/m.exec(blockAfter(section, 'sh', page)) ?? [];
    await writeFile(join(folder, file), blockAfter(section, 'json', page));
    const persisted = await createTestGateway({}, { PERSISTED_OPERATIONS: join(folder, file) });
    onTestFinished(() => persisted.close());
    const [, url = '', shown = ''] =
      /^\$ curl -s '(.*?)'\n(.*)\n$/s.exec(blockAfter(section, 'console', page)) ?? [];
    expect(await (await persisted.app.fetch(new Request(url))).text()).toBe(shown);
  });
});
