// docs/from-datacite.md: each query of ours gets the answer that is shown below it.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './support/gateway.ts';

const page = readFileSync(fileURLToPath(new URL('../docs/from-datacite.md', import.meta.url)), 'utf8');

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocks: Block[] = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

/** Our query is the last before an answer. */
const answered = blocks.flatMap(({ language, text }, index) =>
  language === 'json' ? [{ query: blocks[index - 1]?.text ?? '', answer: JSON.parse(text) as unknown }] : [],
);
const theirs = blocks.filter(
  ({ language }, index) => language === 'graphql' && blocks[index + 1]?.language === 'graphql',
);

describe('docs/from-datacite.md', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await createTestGateway();
  });
  afterAll(() => gateway.close());

  it('has a query of DataCite’s API beside each of ours', () => {
    expect([theirs.length, answered.length]).toEqual([2, 2]);
    for (const { text } of theirs) expect(() => parse(text)).not.toThrow();
  });

  it.each(answered)('shows the answer to $query', async ({ query, answer }) => {
    expect(await gateway.query(query)).toEqual(answer);
  });

  it('names fields of ours that there are', async () => {
    const rows = page.slice(page.indexOf('### Field by field'), page.indexOf('## Not here'));
    const cells = [...rows.matchAll(/^\| `.*?` \| (.*) \|$/gm)].map(([, cell = '']) => cell);
    const selections = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
    expect(selections.length).toBeGreaterThan(5);
    const { errors } = await gateway.query(`{ doi(input: "10.5438/bc11-cqw1") { ${selections.join(' ')} } }`);
    expect(errors).toBeUndefined();
  });
});
