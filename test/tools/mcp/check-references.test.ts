// check_references, called by the SDK's own client over HTTP.

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { NOT_REPORTED } from '../../../src/works/retractions-and-updates.ts';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { createMcpDirectory } from './mcp-directory.ts';
import { codes, type McpGateway, startMcpGateway, type ToolAnswer } from './mcp-gateway.ts';

let directory: FakeDirectory;
let gateway: McpGateway;

beforeAll(async () => {
  directory = createMcpDirectory();
  gateway = await startMcpGateway({ directory });
});

afterAll(() => gateway.close());

describe('check_references', () => {
  it('returns an error for `titles` if the gateway cannot look up any agency', async () => {
    const records = { '10.1000/182': [urlValue('https://example.org/182')] };
    const off = await startMcpGateway({ directory: createFakeDirectory({ records }) });
    const { isError, text } = await off
      .call('check_references', { text: 'doi:10.1000/182', titles: true })
      .finally(() => off.close());
    expect(isError).toBe(true);
    expect(text).toContain('Call again without `titles`.');
  });

  it('says with `titles` whether each reference fits, and compares nothing without `titles`', async () => {
    const text =
      'Okafor, N. (2019). Housing prices in small island states. doi:10.1000/182 [2] ' +
      'Ito, Y. (1987). Coral bleaching and the early Universe. doi:10.1000/old [3] doi:10.1000/none';
    const fits = async (args: object) => {
      const { structured, text: shown } = await gateway.call('check_references', { text, ...args });
      return { shown, fits: structured.references?.map(({ fit, title }) => [fit, title]) };
    };
    expect((await fits({})).fits).toEqual([1, 2, 3].map(() => [undefined, undefined]));
    const title = 'Housing prices in small island states';
    const { fits: compared, shown } = await fits({ titles: true });
    expect(compared).toEqual([
      ['fits', title],
      ['does_not_fit', undefined],
      [undefined, undefined],
    ]);
    const at = text.indexOf('doi:10.1000/old');
    expect(shown).toContain(`10.1000/old at ${at}: DOES NOT FIT: it is “${title}”`);
  });

  it('counts and names references without a DOI, each reference in only one of several calls', async () => {
    const entry = (at: number) =>
      `- Okafor, N. (${2000 + at}). Housing prices in small islands. Lancet, ${at}(2), 3–4.`;
    const many = Array.from({ length: 210 }, (_, at) => `${entry(1)} doi:10.1000/many.${at}\n`).join('');
    const text = `${entry(2)}\n${many}${entry(3)}\nIn 2020, prose has no entries.\n`;
    const first = await gateway.call('check_references', { text });
    const from = first.structured['continueAt'] as number;
    const second = await gateway.call('check_references', { text, from });
    expect(first.structured).toMatchObject({ counts: { withoutDoi: 1 }, withoutDoi: [0] });
    expect(second.structured).toMatchObject({
      counts: { withoutDoi: 1 },
      withoutDoi: [text.indexOf(entry(3))],
    });
    expect(first.text).toContain(`WITHOUT A DOI: 1\n0: ${entry(2).slice(2)}\n`);
    const { structured } = await gateway.call('check_references', { text: 'doi:10.1000/182' });
    expect(structured).not.toHaveProperty('withoutDoi');
  });

  it('looks up an absent DOI again with the punctuation or the ending that its text might contain', async () => {
    const records = ['10.1124/mol...', '10.1000/a.pdf'].map((name) => [
      name,
      [urlValue('https://example.org/')],
    ]);
    const directory = createFakeDirectory({ records: Object.fromEntries(records) });
    const mcp = await startMcpGateway({ directory });
    const text =
      'See 10.1124/mol... and https://doi.org/10.1000/a.pdf, doi:10.1124/mol..., doi:10.1000/none.';
    const { structured } = await mcp.call('check_references', { text }).finally(() => mcp.close());
    expect(structured.references?.map(({ doi, status, alsoAt }) => [doi, status, alsoAt?.length])).toEqual([
      ['10.1124/mol...', 'found', 1],
      ['10.1000/a.pdf', 'found', undefined],
      ['10.1000/none', 'absent', undefined],
    ]);
  });

  it('always reports retractions', async () => {
    const notice = { type: 'retraction', doi: '10.5555/n', sources: ['publisher'], recordIds: [] };
    const date = { year: 2020, month: 5, day: 6, text: '2020-05-06' };
    const names = ['10.5555/bad', '10.5555/good', '10.5555/down'];
    const mcp = await startMcpGateway({
      directory: createFakeDirectory({
        records: Object.fromEntries(names.map((name) => [name, [urlValue('https://example.org/')]])),
        metadata: {
          '10.5555/bad': { title: 'Bad' },
          '10.5555/good': { title: 'Good' },
          '10.5555/down': new GatewayError('UPSTREAM_TIMEOUT'),
        },
        histories: {
          '10.5555/bad': {
            updates: {
              outcome: 'RETRACTED',
              notices: [{ ...notice, kind: 'RETRACTION', date }],
              noticeOf: [],
            },
            relations: [],
          },
          '10.5555/good': {
            updates: { ...NOT_REPORTED, outcome: 'NONE_RECORDED' },
            relations: [],
          },
        },
      }),
    });
    onTestFinished(() => mcp.close());
    const given = { text: names.join(' '), problemsOnly: true };
    const { structured, text: shown } = await mcp.call('check_references', given);
    expect(structured).toMatchObject({
      counts: { found: 3 },
      updates: {
        RETRACTED: 1,
        'none recorded by Crossref': 1,
        'cannot tell: The directory is slow. Try again.': 1,
      },
      references: [
        {
          doi: '10.5555/bad',
          notes: [{ code: 'RETRACTED', message: '2020-05-06, notice https://doi.org/10.5555/n, publisher' }],
        },
      ],
    });
    expect(shown).toContain(
      '10.5555/bad: RETRACTED: 2020-05-06, notice https://doi.org/10.5555/n, publisher',
    );
  });

  it('returns no error if metadata is off, and says that the updates are unknown', async () => {
    const records = { '10.1000/182': [urlValue('https://example.org/182')] };
    const off = await startMcpGateway({ directory: createFakeDirectory({ records }) });
    onTestFinished(() => off.close());
    const { isError, structured } = await off.call('check_references', { text: 'doi:10.1000/182' });
    const [[words] = []] = Object.entries(structured['updates'] as object);
    expect([isError, words]).toEqual([false, expect.stringMatching(/^cannot tell: This gateway fetches no/)]);
  });

  const text = `[1] Smith. https://doi.org/10.1000/182.
[2] Doe, doi:10.1000/182). [3] Roe, 10.1000/invented-by-a-model.
[4] 10.1000/down; [5] 10.1000/old [6] 10.1000/gone [7] 10.1000/pаypal [8] again 10.1000/182`;

  it('distinguishes found, absent, cannot tell, alias, tombstone and look-alike', async () => {
    const { structured, isError } = await gateway.call('check_references', { text });
    expect(isError).toBe(false);
    expect(structured['counts']).toEqual({ found: 4, absent: 1, cannotTell: 1 });
    expect(structured['reasons']).toEqual(['The directory is slow. Try again.']);
    const { references = [] } = structured;
    expect(references.map(({ doi, status, notes }) => [doi, status, codes(notes)])).toEqual([
      ['10.1000/182', 'found', []],
      ['10.1000/invented-by-a-model', 'absent', []],
      ['10.1000/down', 'cannot_tell', []],
      ['10.1000/old', 'found', ['ALIAS']],
      ['10.1000/gone', 'found', ['TOMBSTONE']],
      ['10.1000/pаypal', 'found', ['LOOK_ALIKE']],
    ]);
    expect(references[0]).toEqual({
      doi: '10.1000/182',
      status: 'found',
      start: text.indexOf('https'),
      alsoAt: [text.indexOf('doi:'), text.lastIndexOf('10.1000/182')],
    });
    expect(references[5]?.meant).toEqual([{ doi: '10.1000/paypal', url: 'https://doi.org/10.1000/paypal' }]);
    expect(structured.continueAt).toBeUndefined();
  });

  it('lists the problems as text, for clients that show only text', async () => {
    const { text: shown } = await gateway.call('check_references', { text });
    expect(shown.split('\n').slice(0, 7)).toEqual([
      '4 found, 1 absent, 1 cannot tell.',
      'Updates: 2 none recorded by Crossref, 2 not reported: the agency has no metadata.',
      'ABSENT, the directory has no such DOI:',
      '10.1000/invented-by-a-model',
      'CANNOT TELL: The directory is slow. Try again.',
      '10.1000/down',
      '10.1000/old: ALIAS: It is an alias of 10.1000/182.',
    ]);
  });

  it('suggests the registered DOI that the text probably means', async () => {
    const { structured } = await gateway.call('check_references', { text: 'doi:10.1000/128' });
    expect(structured.references?.[0]).toMatchObject({
      status: 'absent',
      meant: [{ doi: '10.1000/182', url: 'https://doi.org/10.1000/182' }],
    });
  });

  it('checks 200 different DOIs in one call, and says where the next call starts', async () => {
    const list = Array.from({ length: 450 }, (_, i) => `10.1000/ref.${i} and 10.1000/182 again`).join('\n');
    const seen = new Set<unknown>();
    const pages: number[] = [];
    let repeated = 0;
    let from: number | undefined = 0;
    while (from !== undefined && pages.length < 5) {
      const { structured }: ToolAnswer = await gateway.call('check_references', { text: list, from });
      const { references = [], continueAt } = structured;
      for (const { doi, alsoAt = [] } of references) {
        seen.add(doi);
        if (doi === '10.1000/182') repeated += 1 + alsoAt.length;
      }
      pages.push(references.length);
      from = continueAt;
    }
    expect(pages).toEqual([200, 200, 53]);
    expect([seen.size, repeated]).toEqual([451, 450]);
  });

  it('never calls a DOI absent if only the sample lacks it', async () => {
    const sample = await startMcpGateway();
    const given = { text: '10.1000/182, and 10.5555/not-in-the-sample' };
    const { structured } = await sample.call('check_references', given);
    expect(structured.references?.map(({ status }) => status)).toEqual(['found', 'cannot_tell']);
    await sample.close();
  });
});
