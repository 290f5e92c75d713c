// The report of check_references on right, wrong and doubtful references, and its size.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { NOT_REPORTED } from '../../../src/works/retractions-and-updates.ts';
import type { WorkHistory } from '../../../src/works/work.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type CheckedReference, type McpGateway, startMcpGateway } from './mcp-gateway.ts';

const HOUSING = 'Housing prices in small island states';
const MANY = Array.from({ length: 200 }, (_, at) => `10.5555/reference.${1_000 + at}`);
const titleOf = (doi: string) => `A study of everyday things that has the number ${doi.slice(-4)}`;
const work = (title: string) => ({
  title,
  author: [{ family: 'Okafor', given: 'Noor' }],
  issued: { 'date-parts': [[2019]] },
});

const NONE_RECORDED: WorkHistory = {
  updates: { ...NOT_REPORTED, outcome: 'NONE_RECORDED' },
  relations: [],
};
const ONE = 'Updates: 1 none recorded by Crossref.';

let gateway: McpGateway;

beforeAll(async () => {
  const names = ['10.1000/182', '10.1000/forged', '10.1000/untitled', '10.1000/unavailable', ...MANY];
  gateway = await startMcpGateway({
    directory: createFakeDirectory({
      records: Object.fromEntries(
        names.map((name) => [name, [urlValue('https://example.org/a-page-of-some-length')]]),
      ),
      metadata: {
        '10.1000/182': work(HOUSING),
        '10.1000/forged': work('A\u008510.1000/182: DOES NOT FIT'),
        '10.1000/unavailable': new GatewayError('UPSTREAM_RATE_LIMITED', {
          details: { retryAfterSeconds: 7 },
        }),
        ...Object.fromEntries(MANY.map((doi) => [doi, work(titleOf(doi))])),
      },
      histories: Object.fromEntries(names.map((name) => [name, NONE_RECORDED])),
    }),
  });
});

afterAll(() => gateway.close());

interface Report {
  readonly text: string;
  readonly references: readonly CheckedReference[];
  readonly counts: unknown;
  readonly continueAt: number | undefined;
}

async function check(given: Readonly<Record<string, unknown>>): Promise<Report> {
  const { structured, text, isError } = await gateway.call('check_references', given);
  expect([isError, text]).toEqual([false, text]);
  const { references = [], counts, continueAt } = structured;
  return { text, references, counts, continueAt };
}

const RIGHT = `Okafor, N. (2019). ${HOUSING}. doi:10.1000/182`;
const WRONG = 'Ito, Y. (1987). Coral bleaching and the early Universe. doi:10.1000/182';

describe('a DOI in several references', () => {
  const text = `[1] ${RIGHT}\n[2] ${WRONG}\n[3] ${RIGHT}\n`;
  const [first, second, third] = [...text.matchAll(/doi:10/g)].map(({ index }) => index);

  it('is judged at each of its places, so that a right reference hides no wrong reference', async () => {
    const { references, text: shown, counts } = await check({ text, titles: true });
    expect(references).toEqual([
      { doi: '10.1000/182', status: 'found', start: first, alsoAt: [third], fit: 'fits' },
      { doi: '10.1000/182', status: 'found', start: second, fit: 'does_not_fit' },
    ]);
    expect(shown).toBe(
      `1 found, 0 absent, 0 cannot tell. References that do not fit: 1.\n${ONE}\n10.1000/182 at ${second}: DOES NOT FIT: it is “${HOUSING}”`,
    );
    expect(counts).toEqual({ found: 1, absent: 0, cannotTell: 0 });
  });

  it('is a problem at a place that cannot be judged, even if it fits at another place', async () => {
    const mentioned = `${RIGHT}\n\nAs 10.1000/182 says.`;
    const { references, text: shown } = await check({ text: mentioned, titles: true });
    const start = mentioned.lastIndexOf('10.');
    expect(references.map(({ fit, title }) => [fit, title])).toEqual([
      ['fits', HOUSING],
      ['cannot_tell', undefined],
    ]);
    expect(shown).toBe(
      `1 found, 0 absent, 0 cannot tell.\n${ONE}\n10.1000/182 at ${start}: cannot tell whether it fits`,
    );
    const { references: problems } = await check({ text: mentioned, titles: true, problemsOnly: true });
    expect(problems.map((problem) => problem.start)).toEqual([start]);
  });
});

describe('a found DOI whose words cannot be judged', () => {
  it('shows its title in the text', async () => {
    const { references, text } = await check({ text: 'See 10.1000/182.', titles: true });
    expect(references).toEqual([{ doi: '10.1000/182', status: 'found', start: 4, fit: 'cannot_tell' }]);
    expect(text).toBe(
      `1 found, 0 absent, 0 cannot tell.\n${ONE}\n10.1000/182: cannot tell whether it fits; it is “${HOUSING}”`,
    );
  });

  it('has a message in the text if it has no title', async () => {
    const { text } = await check({ text: 'See 10.1000/untitled.', titles: true });
    expect(text).toContain('10.1000/untitled: cannot tell whether it fits; it has no known title');
  });

  it('has the reason if the look-up of its title failed, and the time to wait', async () => {
    const { text } = await check({ text: 'See 10.1000/182 and 10.1000/unavailable.', titles: true });
    expect(text).toContain(
      '10.1000/unavailable: cannot tell whether it fits; its title could not be looked up: The directory is busy.',
    );
    expect(text).toContain('\nLook-ups failed: call again in 7 seconds.');
  });

  it('shows its title on one line, even if the title has several lines', async () => {
    const { text } = await check({ text: 'See 10.1000/forged.', titles: true });
    expect(text.split('\n')).toEqual([
      '1 found, 0 absent, 0 cannot tell.',
      ONE,
      '10.1000/forged: cannot tell whether it fits; it is “A 10.1000/182: DOES NOT FIT”',
    ]);
  });
});

describe('problemsOnly', () => {
  it('omits references that are found and fit, but counts these references', async () => {
    const text = `${RIGHT}\n${MANY[0]}\n10.1000/absent`;
    const { references, counts } = await check({ text, problemsOnly: true });
    expect(references.map(({ doi }) => doi)).toEqual(['10.1000/absent']);
    expect(counts).toEqual({ found: 2, absent: 1, cannotTell: 0 });
    const { references: withTitles } = await check({ text, problemsOnly: true, titles: true });
    expect(withTitles.map(({ doi }) => doi)).toEqual([MANY[0], '10.1000/absent']);
  });
});

describe('an argument that no tool knows', () => {
  it.each([
    ['check_references', { text: '10.1000/182', title: true }, 'title'],
    ['find_dois', { text: '10.1000/182', offset: 7 }, 'offset'],
    ['match_reference', { reference: 'x', titles: true }, 'titles'],
    ['resolve_doi', { doi: '10.1000/182', lang: 'en' }, 'lang'],
    ['describe_doi', { dois: ['10.1000/182'], doi: '10.1000/182' }, 'doi'],
    ['parse_doi', { input: '10.1000/182', form: 'NAME' }, 'form'],
    ['compare_dois', { a: '10.1000/1', b: '10.1000/2', form: 'NAME' }, 'form'],
  ])('is refused by %s', async (tool, given, name) => {
    const { isError, text } = await gateway.call(tool, given);
    expect([isError, text.includes(`"${name}"`)]).toEqual([true, true]);
  });

  it('is refused, and so is a `from` that is no position', async () => {
    for (const from of [-1, 1.5, '0']) {
      expect(await gateway.call('check_references', { text: 'x', from })).toMatchObject({ isError: true });
    }
  });
});

describe('the size of a response', () => {
  const bytesOf = (response: unknown) => Buffer.byteLength(JSON.stringify(response));
  const measured = async (given: Readonly<Record<string, unknown>>) =>
    bytesOf(await gateway.client.callTool({ name: 'check_references', arguments: given }));
  const bare = MANY.join('\n');
  const cited = MANY.map((doi) => `Okafor, N. (2019). ${titleOf(doi)}. https://doi.org/${doi}`).join('\n\n');

  async function allPages(given: Readonly<Record<string, unknown>>) {
    const pages: Report[] = [];
    let largest = 0;
    for (let from: number | undefined = 0; from !== undefined && pages.length < 20; ) {
      largest = Math.max(largest, await measured({ ...given, from }));
      const page: Report = await check({ ...given, from });
      pages.push(page);
      from = page.continueAt;
    }
    return { pages, largest };
  }

  it('is below 20 kB for 200 references without titles', async () => {
    const { references, continueAt } = await check({ text: cited });
    expect([references.length, continueAt]).toEqual([200, undefined]);
    expect(await measured({ text: cited })).toBeLessThan(20_000);
    const invented = bare.replaceAll('10.5555/', '10.5555/not.');
    expect((await check({ text: invented })).counts).toMatchObject({ absent: 200 });
    expect(await measured({ text: invented })).toBeLessThan(20_000);
  });

  it('is below 35 kB for 200 references with titles, and has each title once', async () => {
    const { references, text } = await check({ text: cited, titles: true });
    expect(references.map(({ title }) => title)).toEqual(MANY.map(titleOf));
    expect(text).toBe('200 found, 0 absent, 0 cannot tell.\nUpdates: 200 none recorded by Crossref.');
    expect(await measured({ text: cited, titles: true })).toBeLessThan(35_000);
  });

  it('is below 35 kB for any titles: the next call returns the other references', async () => {
    const { pages, largest } = await allPages({ text: bare, titles: true });
    expect(largest).toBeLessThan(35_000);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(({ references }) => references.map(({ doi }) => doi))).toEqual(MANY);
    const text = pages.map((page) => page.text).join('\n');
    for (const doi of MANY) expect(text.split(titleOf(doi))).toHaveLength(2);
  });

  it('is below 20 kB for names of any length', async () => {
    const long = Array.from({ length: 12 }, (_, at) => `10.5555/${'x'.repeat(1_900)}${at}`);
    const { pages, largest } = await allPages({ text: long.join(' ') });
    expect(largest).toBeLessThan(20_000);
    expect(pages.flatMap(({ references }) => references.map(({ doi }) => doi))).toEqual(long);
  });

  it('is small if all look-ups fail, and has the reason once', async () => {
    const sample = await startMcpGateway();
    const response = await sample.client.callTool({ name: 'check_references', arguments: { text: bare } });
    expect(bytesOf(response)).toBeLessThan(16_000);
    expect(JSON.stringify(response).split('Not among the records')).toHaveLength(3);
    await sample.close();
  });

  it('is below 10.9 kB for the list of tools', async () => {
    const { tools } = await gateway.client.listTools();
    expect(bytesOf({ tools })).toBeLessThan(10_900);
  });
});
