// findDois, and `meant` of an unreadable input and of its error.

import { describe, expect, onTestFinished, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { NO_ITEM_YET } from '../../src/slices.ts';
import { EXECUTIONS } from '../graphql/two-executions.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { createFakeGateway, createLoggedGateway, NO_CALLS } from './fake-gateway.ts';

interface Match {
  readonly doi: { readonly name: string };
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly form: string;
  readonly repaired: boolean;
}

const FIELDS = 'doi { name } text start end form repaired';
const bibliography = (entries: number): string =>
  Array.from({ length: entries }, (_, i) => `${i}. Smith, J. A title. https://doi.org/10.1000/${i}.`).join(
    '\n',
  );

describe('findDois', () => {
  test('lets the executor pause after each prefix that begins no name', () => {
    const { resolve } = schema.getQueryType()?.getFields()['findDois'] ?? {};
    const found = resolve?.(null, { text: '10.1000/ 10.1000/ 10.1000/182 10.1000/ ' }, null, {} as never);
    const items = [...(found as Iterable<unknown>)];
    expect(items).toMatchObject([NO_ITEM_YET, NO_ITEM_YET, { name: '10.1000/182' }, NO_ITEM_YET]);
  });

  test('lists the matches in the order of the text, without a look-up', async () => {
    const { query, calls } = await createFakeGateway();
    const text =
      '😀 (doi:10.1000/182), <i>10.1000/a&amp;b</i>, https://publisher.example/doi/10.1000/182/full';
    const { data } = await query<{ findDois: Match[] }>(
      `query ($text: String!) { findDois(text: $text) { ${FIELDS} } }`,
      { text },
    );
    expect(data.findDois).toEqual([
      {
        doi: { name: '10.1000/182' },
        text: 'doi:10.1000/182',
        start: 4,
        end: 19,
        form: 'URI',
        repaired: false,
      },
      {
        doi: { name: '10.1000/a&b' },
        text: '10.1000/a&amp;b',
        start: 25,
        end: 40,
        form: 'WEB_FORM',
        repaired: true,
      },
      {
        doi: { name: '10.1000/182' },
        text: '10.1000/182',
        start: 76,
        end: 87,
        form: 'WEB_FORM',
        repaired: false,
      },
    ]);
    for (const match of data.findDois) expect(text.slice(match.start, match.end)).toBe(match.text);
    expect(calls).toEqual(NO_CALLS);
  });

  test('returns many fields of an ordinary bibliography, with one look-up for each name', async () => {
    const { query, calls } = await createFakeGateway();
    const { data, errors } = await query<{ findDois: unknown[] }>(
      `query ($text: String!) { findDois(text: $text) {
        ${FIELDS} doi { id url urn warnings { code } exists registrationAgency { name } record { values { type text } } }
      } }`,
      { text: bibliography(500) },
    );
    expect(errors).toBeUndefined();
    expect(data.findDois).toHaveLength(500);
    expect(calls.resolve).toHaveLength(500);
  });

  test.each(EXECUTIONS)(
    'keeps the matches below the price limit, and the next match is null with LIMIT_EXCEEDED (executed %s)',
    async (_, yogaExecutesAll) => {
      const directory = createFakeDirectory();
      const { query, close } = await createTestGateway({
        directory,
        yogaExecutesAll,
        limits: { complexity: 2_000 },
      });
      onTestFinished(close);
      const { data, errors } = await query<{ findDois: ({ doi: { name: string } } | null)[] }>(
        'query ($text: String!) { findDois(text: $text) { start doi { name urn } } }',
        { text: bibliography(600) },
      );
      // Each match costs 4: start, doi, name and urn.
      expect(data.findDois).toHaveLength(501);
      expect(data.findDois.slice(0, 500)).not.toContain(null);
      expect(data.findDois[500]).toBeNull();
      expect(errors).toMatchObject([{ path: ['findDois', 500], extensions: { code: 'LIMIT_EXCEEDED' } }]);
    },
  );

  test('refuses a text above the limit before it reads the text', async () => {
    const { query } = (await createLoggedGateway({}, {}, { complexity: 100 })).gateway;
    const { errors } = await query('query ($text: String!) { findDois(text: $text) { start } }', {
      text: 'x'.repeat(64 * 100),
    });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.extensions['code']).toBe('LIMIT_EXCEEDED');
    expect(errors?.[0]?.path).toBeUndefined();
  });
});

test.each([
  ['https://publisher.example/doi/10.1000/182?x=1', ['10.1000/182 WEB_FORM false']],
  ['see 10.1000/182 and 10.1000/183.', ['10.1000/182 WEB_FORM false', '10.1000/183 WEB_FORM false']],
  ['10.1000/1\u200b82', ['10.1000/182 WEB_FORM true']],
  [' https://arxiv.org/abs/2101.12345v2 ', ['10.48550/arXiv.2101.12345 NAME true']],
  ['nothing at all', []],
  ['10.1000/', []],
  // These inputs have no problem.
  ['10.1000/182.', []],
  ['10.1000/182;10.1000/183', []],
])('meant of the input %j lists %j', async (input, expected) => {
  const { query } = await createFakeGateway();
  const { data } = await query<{ parseDoi: { meant: Match[] } }>(
    `query ($input: String!) { parseDoi(input: $input) { meant { ${FIELDS} } } }`,
    { input },
  );
  const found = data.parseDoi.meant.map(({ doi, form, repaired }) => `${doi.name} ${form} ${repaired}`);
  expect(found).toEqual(expected);
});

test.each([
  ['all DOIs', 'see 10.1000/182 and 10.1000/183', ['10.1000/182', '10.1000/183']],
  ['no DOI', '978-3-16-148410-0', []],
  [
    'at most five DOIs',
    'see 10.1000/0 10.1000/1 10.1000/2 10.1000/3 10.1000/4 10.1000/5',
    ['10.1000/0', '10.1000/1', '10.1000/2', '10.1000/3', '10.1000/4'],
  ],
  ['no DOI of more than 500 characters', `see 10.1000/${'x'.repeat(500)} 10.1000/182`, ['10.1000/182']],
])('INVALID_DOI names the DOIs that an input probably means: %s', async (_, input, meant) => {
  const { query } = await createFakeGateway();
  const { errors = [] } = await query('query ($input: String!) { doi(input: $input) { id } }', { input });
  expect(errors[0]?.extensions['meant']).toEqual(meant);
  if (meant.length > 0) expect(errors[0]?.message).toContain(`Probably meant: "${meant[0]}".`);
  else expect(errors[0]?.message).not.toContain('meant');
});
