// Each tool, called by the SDK's own client over HTTP. check-references.test.ts tests the largest tool.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeDirectory } from '../../support/fake-directory.ts';
import { createMcpDirectory } from './mcp-directory.ts';
import { codes, type McpGateway, startMcpGateway } from './mcp-gateway.ts';

let directory: FakeDirectory;
let gateway: McpGateway;

beforeAll(async () => {
  directory = createMcpDirectory();
  gateway = await startMcpGateway({ directory });
});

afterAll(() => gateway.close());

describe('the list of tools', () => {
  it('describes each tool for a language model, and marks all tools as read-only', async () => {
    const { tools } = await gateway.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'check_references',
      'match_reference',
      'resolve_doi',
      'describe_doi',
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
    const openWorld = tools.filter(({ annotations }) => annotations?.openWorldHint).map(({ name }) => name);
    expect(openWorld).toEqual(['check_references', 'match_reference', 'resolve_doi', 'describe_doi']);
  });

  it('never changes, so that clients need no notifications', () => {
    expect(gateway.client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
    expect(gateway.client.getInstructions()).toContain('check_references');
  });
});

describe('resolve_doi', () => {
  it('returns the target and the registration agency of a DOI', async () => {
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

  it('reports an absent DOI with a suggestion', async () => {
    const { structured, isError } = await gateway.call('resolve_doi', { doi: '10.1000/128' });
    expect(isError).toBe(false);
    expect(structured).toMatchObject({ status: 'absent', meant: [{ doi: '10.1000/182' }] });
    expect(structured).not.toHaveProperty('agency');
  });

  it('names a failure of the directory, and does not say that the DOI is absent', async () => {
    expect(await gateway.call('resolve_doi', { doi: '10.1000/busy' })).toEqual({
      isError: true,
      structured: {},
      text: 'UPSTREAM_RATE_LIMITED: The directory is busy. Try again. This says nothing about whether a DOI exists. Call again in 7 seconds.',
    });
  });

  it('returns the notes that check_references returns, such as a retraction', async () => {
    const { structured, text } = await gateway.call('resolve_doi', { doi: '10.1000/retracted' });
    const checked = await gateway.call('check_references', { text: '10.1000/retracted' });
    expect(structured).toMatchObject({ status: 'found', notes: checked.structured.references?.[0]?.notes });
    expect(text).toContain('RETRACTED: 2020-05-06');
  });

  it('names the published version of a preprint, as check_references does', async () => {
    const resolved = await gateway.call('resolve_doi', { doi: '10.1000/preprint' });
    const checked = await gateway.call('check_references', { text: '10.1000/preprint, 10.1000/182' });
    const notes = [{ code: 'PREPRINT', message: 'published as 10.1000/article' }];
    expect(resolved.structured).toMatchObject({ status: 'found', notes });
    expect(checked.structured).toMatchObject({
      counts: { publishedPreprints: 1 },
      references: [{ notes }, {}],
    });
    expect(checked.text).toContain('Preprints that are published by now: 1.');
    expect(checked.text).toContain('10.1000/preprint: PREPRINT: published as 10.1000/article');
  });

  it('names the failure of metadata and updates, with the seconds to wait', async () => {
    const { text } = await gateway.call('resolve_doi', { doi: '10.1000/agency-busy' });
    expect(text).toContain(
      'found, leads to https://example.org/busy; UPSTREAM_RATE_LIMITED: metadata, updates: ',
    );
    expect(text).toContain('Call again in 9 seconds.');
  });

  it('does not suggest a retry of a look-up that the circuit held back', async () => {
    expect(await gateway.call('resolve_doi', { doi: '10.1000/held-back' })).toEqual({
      isError: true,
      structured: {},
      text: 'UPSTREAM_UNAVAILABLE: The directory is down. This says nothing about whether a DOI exists. Do not call again at once: the gateway has already waited for the directory. It will try again in 2 seconds.',
    });
  });

  it('names the position of a mistake in an input, and the remedy', async () => {
    const { isError, text } = await gateway.call('resolve_doi', { doi: '10.1000/100%' });
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^INVALID_DOI: .*\(at character 11\) Call again with https:\/\/doi\.org\/10\.1000\/100%25\.$/,
    );
    const { text: nothing } = await gateway.call('resolve_doi', { doi: 'nothing' });
    expect(nothing).toMatch(
      /^INVALID_DOI: .* Call again with a DOI such as 10\.1000\/182. To find DOIs in a text, call find_dois/,
    );
  });

  it('accepts the input that an error of the tool suggests', async () => {
    const { structured } = await gateway.call('resolve_doi', { doi: 'https://doi.org/10.1000/100%25' });
    expect(structured).toMatchObject({ doi: '10.1000/100%', status: 'absent' });
  });

  it('returns the known fields if the look-up of the agency fails', async () => {
    const { structured } = await gateway.call('resolve_doi', { doi: '10.1000/old' });
    expect(structured).toMatchObject({ status: 'found', alias: '10.1000/182' });
    expect(structured).not.toHaveProperty('agency');
    expect(codes(structured['notes'])).toEqual(['ALIAS', 'UPSTREAM_TIMEOUT']);
  });
});

describe('parse_doi', () => {
  it('writes a DOI in every form without a look-up', async () => {
    const before = directory.calls.resolve.length;
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
    expect(directory.calls.resolve).toHaveLength(before);
  });

  it('returns the kind of an input that is not a DOI as a result, not as an error', async () => {
    const { structured, isError } = await gateway.call('parse_doi', { input: '978-3-16-148410-0' });
    expect(isError).toBe(false);
    expect(structured).not.toHaveProperty('doi');
    expect(structured).toMatchObject({ problem: { code: 'NOT_A_DOI', looksLike: 'ISBN' } });
  });

  it('warns of text that was copied with the DOI', async () => {
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
  ])('returns the relation of %s and %s', async (a, b, equivalent, relation) => {
    const { structured, text } = await gateway.call('compare_dois', { a, b });
    expect([structured['equivalent'], structured['relation']]).toEqual([equivalent, relation]);
    expect(text).toMatch(new RegExp(`^${relation}: `));
  });
});

describe('find_dois', () => {
  it('finds each DOI with its position, without look-ups', async () => {
    const before = directory.calls.resolve.length;
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
    expect(directory.calls.resolve).toHaveLength(before);
  });

  it('returns 200 DOIs in one call, and says where the next call starts', async () => {
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
