// Each tool, called by the SDK's own client over HTTP.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../support/fake-directory.ts';
import { type McpGateway, startMcpGateway, type ToolAnswer } from './mcp-gateway.ts';

const alias = { index: 1, type: 'HS_ALIAS', data: { format: 'string', value: '10.1000/182' }, ttl: 86_400 };

let directory: FakeDirectory;
let gateway: McpGateway;

beforeAll(async () => {
  directory = createFakeDirectory({
    records: {
      '10.1000/182': [urlValue('https://example.org/182')],
      '10.1000/old': [alias],
      '10.1000/gone': [urlValue('https://www.crossref.org/_deleted-doi/')],
      '10.1000/pаypal': [urlValue('https://example.org/imitation')],
      '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT'),
      '10.1000/busy': new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 7 } }),
    },
    metadata: Object.fromEntries(
      ['10.1000/182', '10.1000/old'].map((name) => [
        name,
        {
          title: 'Housing prices in small island states',
          author: [{ family: 'Okafor', given: 'Noor' }],
          issued: { 'date-parts': [[2019]] },
        },
      ]),
    ),
    agencies: {
      '10.1000/182': { status: 'FOUND', agency: 'Crossref' },
      '10.1000/old': new GatewayError('UPSTREAM_TIMEOUT'),
    },
  });
  gateway = await startMcpGateway({ directory });
});

afterAll(() => gateway.close());

describe('the list of tools', () => {
  it('describes each for a language model, and says that none changes anything', async () => {
    const { tools } = await gateway.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'check_references',
      'resolve_doi',
      'parse_doi',
      'compare_dois',
      'find_dois',
    ]);
    for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(title).toMatch(/^[A-Z]/);
      expect(description).toMatch(/\nExample: \{/);
      expect(inputSchema['type']).toBe('object');
      expect(outputSchema?.['type']).toBe('object');
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
    const asksOthers = tools.filter(({ annotations }) => annotations?.openWorldHint).map(({ name }) => name);
    expect(asksOthers).toEqual(['check_references', 'resolve_doi']);
  });

  it('is the same each time, so that nobody has to be told of changes', () => {
    expect(gateway.client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
    expect(gateway.client.getInstructions()).toContain('check_references');
  });
});

describe('check_references', () => {
  it('with `titles` is an error where no agency can be asked', async () => {
    const records = { '10.1000/182': [urlValue('https://example.org/182')] };
    const off = await startMcpGateway({ directory: createFakeDirectory({ records }) });
    const { isError, text } = await off
      .call('check_references', { text: 'doi:10.1000/182', titles: true })
      .finally(() => off.close());
    expect(isError).toBe(true);
    expect(text).toContain('Call again without `titles`.');
  });

  it('says with `titles` whether each reference fits, and asks no agency without it', async () => {
    const text =
      'Okafor, N. (2019). Housing prices in small island states. doi:10.1000/182 [2] ' +
      'Ito, Y. (1987). Coral bleaching and the early Universe. doi:10.1000/old [3] doi:10.1000/none';
    const fits = async (args: object) => {
      const { structured, text: shown } = await gateway.call('check_references', { text, ...args });
      return { shown, fits: structured.references?.map(({ fit, title }) => [fit, title]) };
    };
    const asked = directory.calls.describe?.length ?? -1;
    expect((await fits({})).fits).toEqual([1, 2, 3].map(() => [undefined, undefined]));
    expect(directory.calls.describe).toHaveLength(asked);
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

  const text = `[1] Smith. https://doi.org/10.1000/182.
[2] Doe, doi:10.1000/182). [3] Roe, 10.1000/invented-by-a-model.
[4] 10.1000/down; [5] 10.1000/old [6] 10.1000/gone [7] 10.1000/pаypal [8] again 10.1000/182`;

  it('tells found, absent, cannot tell, alias, tombstone and look-alike apart', async () => {
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

  it('says in a text what to look at, to clients that show nothing else', async () => {
    const { text: shown } = await gateway.call('check_references', { text });
    expect(shown.split('\n').slice(0, 6)).toEqual([
      '4 found, 1 absent, 1 cannot tell.',
      'ABSENT, the directory has no such DOI:',
      '10.1000/invented-by-a-model',
      'CANNOT TELL: The directory is slow. Try again.',
      '10.1000/down',
      '10.1000/old: ALIAS: It is an alias: 10.1000/182 stands for it.',
    ]);
  });

  it('offers the registered DOI that was probably meant', async () => {
    const { structured } = await gateway.call('check_references', { text: 'doi:10.1000/128' });
    expect(structured.references?.[0]).toMatchObject({
      status: 'absent',
      meant: [{ doi: '10.1000/182', url: 'https://doi.org/10.1000/182' }],
    });
  });

  it('checks 200 different DOIs at once and says where the rest begins', async () => {
    const list = Array.from({ length: 450 }, (_, i) => `10.1000/ref.${i} and 10.1000/182 again`).join('\n');
    const seen = new Set<unknown>();
    const pages: number[] = [];
    let from: number | undefined = 0;
    while (from !== undefined && pages.length < 5) {
      const { structured }: ToolAnswer = await gateway.call('check_references', { text: list, from });
      const { references = [], continueAt } = structured;
      for (const { doi } of references) seen.add(doi);
      pages.push(references.length);
      from = continueAt;
    }
    expect(pages).toEqual([200, 200, 53]);
    expect(seen.size).toBe(451);
  });

  it('never calls a DOI absent on the word of the sample alone', async () => {
    const sample = await startMcpGateway();
    const given = { text: '10.1000/182, and 10.5555/not-in-the-sample' };
    const { structured } = await sample.call('check_references', given);
    expect(structured.references?.map(({ status }) => status)).toEqual(['found', 'cannot_tell']);
    await sample.close();
  });
});

describe('resolve_doi', () => {
  it('says where a DOI leads and who registered it', async () => {
    const { structured, text } = await gateway.call('resolve_doi', { doi: 'https://doi.org/10.1000/182' });
    expect(structured).toEqual({
      doi: '10.1000/182',
      url: 'https://doi.org/10.1000/182',
      status: 'found',
      target: 'https://example.org/182',
      agency: { name: 'Crossref', title: 'Crossref' },
    });
    expect(text).toBe('10.1000/182: found, leads to https://example.org/182\nRegistered by Crossref.');
  });

  it('says that a DOI is absent, and what was probably meant', async () => {
    const { structured, isError } = await gateway.call('resolve_doi', { doi: '10.1000/128' });
    expect(isError).toBe(false);
    expect(structured).toMatchObject({ status: 'absent', meant: [{ doi: '10.1000/182' }] });
    expect(structured).not.toHaveProperty('agency');
  });

  it('says what failed, and that nothing follows from it', async () => {
    expect(await gateway.call('resolve_doi', { doi: '10.1000/busy' })).toEqual({
      isError: true,
      structured: {},
      text: 'UPSTREAM_RATE_LIMITED: The directory is busy. Try again. This says nothing about whether a DOI exists. Call again in 7 seconds.',
    });
  });

  it('says where an input is no DOI, and what to do', async () => {
    const { isError, text } = await gateway.call('resolve_doi', { doi: '10.1000/100%' });
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^INVALID_DOI: .*\(at character 11\) Call again with https:\/\/doi\.org\/10\.1000\/100%25\.$/,
    );
    const { text: nothing } = await gateway.call('resolve_doi', { doi: 'nothing' });
    expect(nothing).toMatch(
      /^INVALID_DOI: .* Call again with a DOI such as 10\.1000\/182; find_dois finds those/,
    );
  });

  it('takes what it tells to call again with', async () => {
    const { structured } = await gateway.call('resolve_doi', { doi: 'https://doi.org/10.1000/100%25' });
    expect(structured).toMatchObject({ doi: '10.1000/100%', status: 'absent' });
  });

  it('answers what it knows where the agency cannot be told', async () => {
    const { structured } = await gateway.call('resolve_doi', { doi: '10.1000/old' });
    expect(structured).toMatchObject({ status: 'found', alias: '10.1000/182' });
    expect(structured).not.toHaveProperty('agency');
    expect(codes(structured['notes'])).toEqual(['ALIAS', 'UPSTREAM_TIMEOUT']);
  });
});

describe('parse_doi', () => {
  it('writes a DOI in every form and asks nobody', async () => {
    const asked = directory.calls.resolve.length;
    const { structured, text } = await gateway.call('parse_doi', { input: '10.1000/456#789' });
    expect(structured).toMatchObject({
      doi: {
        name: '10.1000/456#789',
        forms: { url: 'https://doi.org/10.1000/456%23789', urn: 'urn:doi:10.1000:456%23789' },
      },
      form: 'WEB_FORM',
    });
    expect(structured).not.toHaveProperty('problem');
    expect(text).toContain('markdown: [doi\\:10\\.1000\\/456\\#789](https://doi.org/10.1000/456%23789)');
    expect(directory.calls.resolve).toHaveLength(asked);
  });

  it('says what an input is that is no DOI, as an answer', async () => {
    const { structured, isError } = await gateway.call('parse_doi', { input: '978-3-16-148410-0' });
    expect(isError).toBe(false);
    expect(structured).not.toHaveProperty('doi');
    expect(structured).toMatchObject({ problem: { code: 'NOT_A_DOI', looksLike: 'ISBN' } });
  });

  it('warns of what was copied along', async () => {
    const { structured } = await gateway.call('parse_doi', { input: '10.1000/182).' });
    expect(structured['doi']).toMatchObject({
      warnings: [{ code: 'TRAILING_PUNCTUATION', repaired: { doi: '10.1000/182' } }],
    });
  });
});

describe('compare_dois', () => {
  it.each([
    ['10.123/ABC', 'https://doi.org/10.123/AbC', true, 'CASE'],
    ['10.1000/a', '10.1000/а', false, 'CONFUSABLE'],
    ['10.1000/a', 'nothing', undefined, 'INVALID'],
  ])('%s and %s', async (a, b, equivalent, relation) => {
    const { structured, text } = await gateway.call('compare_dois', { a, b });
    expect([structured['equivalent'], structured['relation']]).toEqual([equivalent, relation]);
    expect(text).toMatch(new RegExp(`^${relation}: `));
  });
});

describe('find_dois', () => {
  it('finds each with its place and looks none up', async () => {
    const asked = directory.calls.resolve.length;
    const text =
      'Smith (2020), doi:10.1021/jacs.5c01100. And https://doi.org/10.1103/\nPhysRevLett.118.140402.';
    const { structured } = await gateway.call('find_dois', { text });
    expect(Object.keys(structured)).toEqual(['matches']);
    const matches = structured['matches'] as {
      doi: string;
      start: number;
      end: number;
      repaired?: boolean;
    }[];
    expect(matches.map(({ doi, start, end, repaired }) => [doi, start, end, repaired])).toEqual([
      ['10.1021/jacs.5c01100', 14, 38, undefined],
      ['10.1103/PhysRevLett.118.140402', 44, 91, true],
    ]);
    expect(directory.calls.resolve).toHaveLength(asked);
  });

  it('gives 200 at once and says where the rest begins', async () => {
    const text = Array.from({ length: 300 }, (_, i) => `10.1000/${i}`).join(' ');
    const { structured, text: shown } = await gateway.call('find_dois', { text });
    expect(structured['matches']).toHaveLength(200);
    const from = text.indexOf('10.1000/200');
    expect(structured.continueAt).toBe(from);
    expect(shown).toMatch(new RegExp(`call again with "from": ${from}\\.$`));
    const { structured: rest } = await gateway.call('find_dois', { text, from });
    expect(rest['matches']).toHaveLength(100);
    expect(rest.continueAt).toBeUndefined();
  });
});

function codes(notes: unknown): string[] {
  return ((notes ?? []) as { code: string }[]).map(({ code }) => code);
}
