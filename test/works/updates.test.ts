import { readFileSync } from 'node:fs';
import { toHandleName } from 'doi-names/parts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_NOTICES,
  MAX_RECORDS,
  NOT_REPORTED,
  readCrossrefUpdates,
  readDataciteUpdates,
  type Updates,
} from '../../src/works/retractions-and-updates.ts';

interface Vector {
  readonly name: string;
  readonly asked: string;
  readonly agency: 'Crossref' | 'DataCite';
  readonly item: { readonly attributes?: unknown };
  readonly expected: unknown;
}

const VECTORS: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../fixtures/vectors/updates.json', import.meta.url), 'utf8'),
);

const WORK = '10.5555/work';
const name = (text: string) => toHandleName(text) ?? expect.fail(text);

/** Converts updates to the form of the vectors: a date is a text, and `noticeOf` has the name `isNoticeFor`. */
function plain({ outcome, notices, noticeOf }: Updates): unknown {
  const dated = (list: Updates['notices']) => list.map((one) => ({ ...one, date: one.date?.text ?? null }));
  return { outcome, notices: dated(notices), isNoticeFor: dated(noticeOf) };
}

const crossref = (item: object, requested = WORK) =>
  readCrossrefUpdates({ DOI: WORK, ...item }, name(requested));
const datacite = (attributes: object, requested = WORK) =>
  readDataciteUpdates({ doi: WORK, ...attributes }, name(requested));

const on = (...parts: readonly (number | null)[]) => ({ 'date-parts': [parts] });
const entry = (type: string, more: object = {}) => ({ DOI: '10.5555/notice', type, ...more });

it('the published vectors hold', () => {
  const wrong = VECTORS.filter(({ asked, agency, item, expected }) => {
    const read =
      agency === 'Crossref'
        ? readCrossrefUpdates(item, name(asked))
        : readDataciteUpdates(item.attributes, name(asked));
    return JSON.stringify(plain(read)) !== JSON.stringify(expected);
  });
  expect(VECTORS).toHaveLength(25);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

describe('the updates of a Crossref work', () => {
  it('get their kind and outcome from the type, in any letter case', () => {
    const outcomes = {
      addendum: 'ADDENDUM CORRECTED',
      ERRATUM: 'ERRATUM CORRECTED',
      Err: 'ERRATUM CORRECTED',
      Expression_Of_Concern: 'EXPRESSION_OF_CONCERN CONCERN',
      Partial_Retraction: 'PARTIAL_RETRACTION PARTLY_RETRACTED',
      RETRACTION: 'RETRACTION RETRACTED',
      Withdrawal: 'WITHDRAWAL WITHDRAWN',
      constructor: 'OTHER UPDATED',
    };
    const read = Object.keys(outcomes).map((type) => {
      const { outcome, notices } = crossref({ 'updated-by': [entry(type)] });
      return [type, `${notices[0]?.kind} ${outcome}`, notices[0]?.type];
    });
    expect(read).toEqual(Object.entries(outcomes).map(([type, both]) => [type, both, type]));
  });

  it('merge the entries about one notice, with the earliest date, all sources and all record ids', () => {
    const { notices } = crossref({
      'updated-by': [
        entry('erratum', { source: 'publisher' }),
        entry('retraction', { DOI: '10.5555/other' }),
        entry('err', {
          DOI: '10.5555/NOTICE',
          source: 'retraction-watch',
          'record-id': 7,
          updated: on(2021),
        }),
        entry('ERRATUM', { source: 'publisher', 'record-id': '8', updated: on(2020, 12, 31) }),
      ],
    });
    expect(notices).toMatchObject([
      {
        kind: 'ERRATUM',
        type: 'erratum',
        doi: '10.5555/notice',
        date: { text: '2020-12-31' },
        sources: ['publisher', 'retraction-watch'],
        recordIds: ['7', '8'],
      },
      { kind: 'RETRACTION', doi: '10.5555/other', date: null },
    ]);
  });

  it('count a year as earlier than its months', () => {
    const dates = [on(2020, 5, 6), on(2020, 5), on(2020, 6), on(2020)];
    const entries = dates.map((updated) => entry('removal', { updated }));
    expect(crossref({ 'updated-by': entries }).notices[0]?.date?.text).toBe('2020');
  });

  it('are contradictory only if one record of a source has two kinds for this work', () => {
    const retraction = entry('retraction', { source: 'rw', 'record-id': 1 });
    const concern = (more: object) =>
      entry('expression_of_concern', { DOI: '10.5555/c', source: 'rw', 'record-id': '1', ...more });
    const outcome = (...list: readonly object[]) => crossref({ 'updated-by': list }).outcome;
    expect(outcome(retraction, concern({}))).toBe('CONTRADICTORY');
    expect(outcome(retraction, concern({ source: 'publisher' }))).toBe('RETRACTED');
    expect(outcome(retraction, concern({ 'record-id': 2 }))).toBe('RETRACTED');
    expect(outcome(retraction, { ...retraction, DOI: '10.5555/c', type: 'Retraction' })).toBe('RETRACTED');
    const outcomeWith = (updateTo: object) =>
      crossref({ 'updated-by': [retraction], 'update-to': [updateTo] }).outcome;
    expect(outcomeWith(concern({ DOI: WORK }))).toBe('CONTRADICTORY');
    expect(outcomeWith(concern({}))).toBe('RETRACTED');
  });

  it('are NOT_REPORTED if the record belongs to another DOI and does not name this DOI', () => {
    const item = { 'updated-by': [entry('retraction')], 'update-to': [entry('removal', { DOI: WORK })] };
    expect(crossref(item, '10.5555/alias')).toBe(NOT_REPORTED);
  });

  it('come from `update-to` if the record belongs to another DOI and names this DOI', () => {
    const item = {
      DOI: '10.5555/Notice',
      'updated-by': [entry('removal', { DOI: '10.5555/x' })],
      'update-to': [entry('retraction', { DOI: '10.5555/WORK' }), entry('correction', { DOI: '10.5555/b' })],
    };
    expect(crossref(item)).toMatchObject({
      outcome: 'RETRACTED',
      notices: [{ kind: 'RETRACTION', doi: '10.5555/Notice' }],
      noticeOf: [],
    });
  });

  it('include a notice without a DOI or a type', () => {
    expect(crossref({ 'updated-by': [{ type: 'retraction' }, { DOI: '10.5555/n' }] })).toMatchObject({
      outcome: 'RETRACTED',
      notices: [
        { kind: 'RETRACTION', doi: null },
        { kind: 'OTHER', type: '', doi: '10.5555/n' },
      ],
    });
  });

  it('are NOT_REPORTED, not NONE_RECORDED, if no entry is readable', () => {
    for (const unreadable of ['retraction', [{}], [null], 7]) {
      expect(crossref({ 'updated-by': unreadable }).outcome).toBe('NOT_REPORTED');
    }
    expect(crossref({ 'updated-by': null }).outcome).toBe('NONE_RECORDED');
    expect(crossref({ 'updated-by': ['x', entry('retraction')] }).outcome).toBe('RETRACTED');
  });

  it('get their outcome from all entries, but list only the first notices', () => {
    const many = Array.from({ length: 2 * MAX_NOTICES }, (_, index) =>
      entry('correction', { DOI: `10.5555/${index}`, source: 'a', 'record-id': index }),
    );
    const one = many.map(({ source, 'record-id': id }: Record<string, unknown>) =>
      entry('retraction', { source: `${source}${id}`, 'record-id': id }),
    );
    const updates = crossref({ 'updated-by': [...many, ...one] });
    expect(updates.outcome).toBe('RETRACTED');
    expect(updates.notices).toHaveLength(MAX_NOTICES);
    expect(crossref({ 'updated-by': one }).notices[0]?.recordIds).toHaveLength(MAX_RECORDS);
  });
});

describe('the updates of a DataCite record', () => {
  it('are its withdrawal and the records that replace it', () => {
    const related = (relationType: string, relatedIdentifier: string, relatedIdentifierType = 'DOI') => ({
      ...{ relationType, relatedIdentifier, relatedIdentifierType },
    });
    const updates = datacite({
      dates: [
        { date: '2022', dateType: 'Withdrawn' },
        { date: '2021-03', dateType: 'Withdrawn' },
        { date: '2020', dateType: 'Issued' },
      ],
      relatedIdentifiers: [
        related('IsObsoletedBy', 'https://doi.org/10.5555/B'),
        related('IsObsoletedBy', 'https://a.org/1', 'URL'),
        related('Obsoletes', '10.5555/a'),
      ],
    });
    const replaced = { kind: 'NEW_VERSION', type: 'IsObsoletedBy', date: null };
    const common = { sources: ['DataCite'], recordIds: [] };
    expect(plain(updates)).toEqual({
      outcome: 'WITHDRAWN',
      notices: [
        { kind: 'WITHDRAWAL', type: 'Withdrawn', doi: null, date: '2021-03', ...common },
        { ...replaced, doi: '10.5555/B', ...common },
        { ...replaced, doi: null, ...common },
      ],
      isNoticeFor: [],
    });
  });

  it('are NOT_REPORTED if the record belongs to another DOI', () => {
    const withdrawn = { dates: [{ date: '2022', dateType: 'Withdrawn' }] };
    expect(datacite(withdrawn, '10.5555/alias')).toBe(NOT_REPORTED);
    expect(datacite(withdrawn, '10.5555/WORK').outcome).toBe('WITHDRAWN');
  });
});

describe('a set of entries', () => {
  const entries = fc.array(
    fc.record({
      DOI: fc.constantFrom('10.5555/a', '10.5555/b', WORK),
      type: fc.constantFrom('retraction', 'err', 'erratum', 'xyz'),
      source: fc.constantFrom('publisher', 'retraction-watch'),
      'record-id': fc.constantFrom(undefined, '1', '2'),
      updated: fc.constantFrom(undefined, on(2020), on(2020, 1), on(2021, 2, 3)),
    }),
    { maxLength: 8 },
  );
  const items = fc.record({ 'updated-by': entries, 'update-to': entries });
  /** For a comparison that ignores the order of entries and the letter case of DOIs. */
  const inNoOrder = (updates: Updates): unknown => {
    const sorted = (list: Updates['notices']) =>
      list
        .map(({ kind, doi, date, sources, recordIds }) =>
          JSON.stringify([kind, doi?.toLowerCase(), date, sources.toSorted(), recordIds.toSorted()]),
        )
        .toSorted();
    return [updates.outcome, sorted(updates.notices), sorted(updates.noticeOf)];
  };

  it('gives the same updates in any order and any letter case', () => {
    fc.assert(
      fc.property(items, (item) => {
        const expected = inNoOrder(crossref(item));
        const reversed = {
          'updated-by': item['updated-by'].toReversed(),
          'update-to': item['update-to'].toReversed(),
        };
        expect(inNoOrder(crossref(reversed))).toEqual(expected);
        const upper = JSON.parse(
          JSON.stringify(item)
            .replaceAll('10.5555/work', '10.5555/WORK')
            .replaceAll('10.5555/a', '10.5555/A'),
        );
        expect(inNoOrder(crossref({ ...upper, DOI: WORK.toUpperCase() }))).toEqual(expected);
      }),
    );
  });
});
