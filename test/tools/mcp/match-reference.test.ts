// match_reference in front of the fake searches of both agencies.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FAILURES } from '../../support/agencies/misbehaviours.ts';
import { startMcpGateway } from './mcp-gateway.ts';
import { PUMPS, REFERENCE, searchingGateway, UNKNOWN } from './searching-gateway.ts';

const TITLE = PUMPS.title[0];

describe('match_reference', () => {
  it('names the work, the details that agree, and the agency that was searched', async () => {
    const { call } = await searchingGateway();
    const { structured, text } = await call('match_reference', { reference: REFERENCE });
    expect(structured).toEqual({
      outcome: 'FOUND',
      explanation: 'One work fits, and no detail of the reference contradicts it.',
      doi: '10.5555/pumps',
      title: TITLE,
      agrees: ['title', 'authors', 'container', 'year', 'volume', 'page'],
      sources: ['Crossref'],
    });
    expect(text).toBe(
      `FOUND: One work fits, and no detail of the reference contradicts it.\n10.5555/pumps “${TITLE}”\nAgrees: title, authors, container, year, volume, page.\nSearched: Crossref.`,
    );
  });

  it('shows both texts of a detail that differs', async () => {
    const { call } = await searchingGateway();
    const { structured, text } = await call('match_reference', {
      reference: REFERENCE.replace('2012', '1987'),
    });
    expect(structured).toMatchObject({
      outcome: 'DIFFERS',
      doi: '10.5555/pumps',
      differs: [{ detail: 'year', inReference: '1987', inWork: '2012' }],
    });
    expect(text).toContain('\nDiffers: year: “1987” in the reference, “2012” in the work.\n');
  });

  it('searches the words of a record, without field names', async () => {
    for (const record of [
      `@article{b,\n  author = {Berger, Ada},\n  title = {${TITLE}},\n  year = {2012}\n}`,
      `TY  - JOUR\nAU  - Berger, Ada\nTI  - ${TITLE}\nPY  - 2012\nER  - \n`,
    ]) {
      const { call, searches } = await searchingGateway();
      const { structured } = await call('match_reference', { reference: record });
      expect(structured, record).toMatchObject({ outcome: 'FOUND', doi: '10.5555/pumps' });
      expect(
        searches().map(({ words }) => words),
        record,
      ).toEqual([`Berger, A. (2012). ${TITLE}.`]);
    }
  });

  it('lists works that fit equally', async () => {
    const twin = { ...PUMPS, DOI: '10.5555/twin' };
    const { call } = await searchingGateway({ searched: { crossref: [PUMPS, twin] } });
    const { structured, text } = await call('match_reference', { reference: REFERENCE });
    expect([structured['outcome'], structured['doi']]).toEqual(['SEVERAL', undefined]);
    expect(structured['candidates']).toHaveLength(2);
    expect(structured['candidates']).toContainEqual({ doi: '10.5555/twin', title: TITLE });
    expect(text).toContain(`10.5555/twin “${TITLE}”`);
  });

  it('says that a work that is not found can still exist', async () => {
    const { call } = await searchingGateway();
    const { structured, text } = await call('match_reference', { reference: UNKNOWN });
    expect(structured).toMatchObject({ outcome: 'NOT_FOUND', sources: ['Crossref', 'DataCite'] });
    for (const shown of [text, String(structured['explanation'])]) {
      expect(shown).toContain('do not have all books, reports and theses');
      expect(shown).toContain('does not mean that the work is invented');
    }
  });

  it('never says “not found” after a failed search, and says when to call again', async () => {
    for (const fault of FAILURES) {
      const { call } = await searchingGateway({ misbehaves: () => fault });
      const { isError, text } = await call('match_reference', { reference: UNKNOWN });
      expect(isError, fault).toBe(true);
      expect(text, fault).toMatch(/^[A-Z_]+: The reference could not be searched: /);
      expect(text, fault).not.toMatch(/not.?found/i);
    }
    const { call } = await searchingGateway({ misbehaves: () => 'RATE_LIMITED' });
    const { text } = await call('match_reference', { reference: UNKNOWN });
    expect(text).toMatch(/ Call again in \d+ seconds\.$/);
  });

  it('says that the gateway does not search', async () => {
    const { call, apis } = await searchingGateway({}, { MATCHING: 'no' });
    expect(await call('match_reference', { reference: REFERENCE })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^METADATA_OFF: The reference was not searched\. .*MATCHING=yes/),
    });
    expect(apis.calls).toEqual([]);
    const sample = await startMcpGateway();
    onTestFinished(() => sample.close());
    const { text } = await sample.call('match_reference', { reference: REFERENCE });
    expect(text).toContain('This gateway does not search for references.');
  });

  it('refuses a text that is not a reference', async () => {
    const { call, apis } = await searchingGateway();
    for (const reference of ['[7] .,;', 'word '.repeat(2_001)]) {
      expect(await call('match_reference', { reference })).toMatchObject({ isError: true });
    }
    expect(apis.calls).toEqual([]);
  });

  it('returns at most 4 kB with the same lines, for any texts of the agency', async () => {
    for (const [filler, doi] of [
      ['水路の泵', 'x'],
      ['"\\', 'é'],
      ['\u2028FOUND: \u202E', '"'],
    ] as const) {
      const works = Array.from({ length: 6 }, (_, at) => ({
        ...PUMPS,
        DOI: `10.5555/${doi.repeat(400)}${at}`,
        title: [`${TITLE} ${filler.repeat(400)}`],
        volume: `${filler.repeat(400)}`,
      }));
      const { call } = await searchingGateway({ searched: { crossref: works } });
      for (const reference of [REFERENCE, `${REFERENCE} ${filler.repeat(1_000)}`]) {
        const { text, bytes, isError } = await call('match_reference', { reference });
        expect([isError, text.split('\n').length < 12]).toEqual([false, true]);
        expect(bytes).toBeLessThan(4_000);
      }
    }
  });

  it('works if the gateway executes only known operations', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'operations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'operations.json');
    await writeFile(file, '{"none": "{ __typename }"}');
    const { call } = await searchingGateway({}, { PERSISTED_OPERATIONS: file, PERSISTED_ONLY: 'yes' });
    const { structured } = await call('match_reference', { reference: REFERENCE });
    expect(structured['outcome']).toBe('FOUND');
  });
});
