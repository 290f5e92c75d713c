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

/** As in the vectors: with the dates as texts, and with the name isNoticeFor. */
function plain({ outcome, notices, noticeOf }: Updates): unknown {
  const dated = (list: Updates['notices']) => list.map((one) => ({ ...one, date: one.date?.text ?? null }));
  return { outcome, notices: dated(notices), isNoticeFor: dated(noticeOf) };
}

const crossref = (item: object, asked = WORK) => readCrossrefUpdates({ DOI: WORK, ...item }, name(asked));
const datacite = (attributes: object, asked = WORK) =>
  readDataciteUpdates({ doi: WORK, ...attributes }, name(asked));

const on = (...parts: readonly (number | null)[]) => ({ 'date-parts': [parts] });
const entry = (type: string, more: object = {}) => ({ DOI: '10.5555/notice', type, ...more });

it('reads the shared vectors', () => {
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

describe('updates of a Crossref work', () => {
  it('have the kinds of SPEC 10, in any case', () => {
    const outcomes = {
      addendum: 'ADDENDUM CORRECTED',
      clarification: 'CLARIFICATION CORRECTED',
      Correction: 'CORRECTION CORRECTED',
      corrigendum: 'CORRIGENDUM CORRECTED',
      ERRATUM: 'ERRATUM CORRECTED',
      Err: 'ERRATUM CORRECTED',
      Expression_Of_Concern: 'EXPRESSION_OF_CONCERN CONCERN',
      new_edition: 'NEW_EDITION UPDATED',
      NEW_VERSION: 'NEW_VERSION UPDATED',
      Partial_Retraction: 'PARTIAL_RETRACTION PARTLY_RETRACTED',
      removal: 'REMOVAL REMOVED',
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

  it('merge entries about one notice: earlier date, all sources and record ids', () => {
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

  it('have a date of date-parts, else of date-time, as precise as it is known', () => {
    const dates = [
      [on(2020, 5), '2020-05'],
      [{ ...on(null), 'date-time': '2019-03-04T05:06:07Z' }, '2019-03-04'],
      [{ ...on(2020, 5, 6), 'date-time': '2019-03-04T05:06:07Z' }, '2020-05-06'],
      [{ timestamp: 1 }, null],
    ] as const;
    for (const [updated, text] of dates) {
      const [notice] = crossref({ 'updated-by': [entry('removal', { updated })] }).notices;
      expect(notice?.date?.text ?? null).toBe(text);
    }
  });

  it('take a year for earlier than its months', () => {
    const [notice] = crossref({
      'updated-by': [on(2020, 5, 6), on(2020, 5), on(2020, 6), on(2020)].map((updated) =>
        entry('removal', { updated }),
      ),
    }).notices;
    expect(notice?.date?.text).toBe('2020');
  });

  it('are about the work if the update is to its own DOI, in any case', () => {
    const updates = crossref({
      'update-to': [entry('withdrawal', { DOI: '10.5555/WORK' }), entry('correction', { DOI: '10.5555/b' })],
    });
    expect(updates).toMatchObject({
      outcome: 'WITHDRAWN',
      notices: [{ doi: '10.5555/WORK' }],
      noticeOf: [{ doi: '10.5555/b', kind: 'CORRECTION' }],
    });
  });

  it('contradict each other only where one record about this work has two kinds', () => {
    const retraction = entry('retraction', { source: 'rw', 'record-id': 1 });
    const concern = (more: object) =>
      entry('expression_of_concern', { DOI: '10.5555/c', source: 'rw', 'record-id': '1', ...more });
    const outcome = (...list: readonly object[]) => crossref({ 'updated-by': list }).outcome;
    expect(outcome(retraction, concern({}))).toBe('CONTRADICTORY');
    expect(outcome(retraction, concern({ source: 'publisher' }))).toBe('RETRACTED');
    expect(outcome(retraction, concern({ 'record-id': 2 }))).toBe('RETRACTED');
    expect(outcome(retraction, { ...retraction, DOI: '10.5555/c', type: 'Retraction' })).toBe('RETRACTED');
    const ownWord = { 'updated-by': [retraction], 'update-to': [concern({ DOI: WORK })] };
    expect(crossref(ownWord).outcome).toBe('CONTRADICTORY');
    const ofAnother = { 'updated-by': [retraction], 'update-to': [concern({})] };
    expect(crossref(ofAnother).outcome).toBe('RETRACTED');
  });

  it('are not reported in an answer for another DOI that does not name this one', () => {
    const item = { 'updated-by': [entry('retraction')], 'update-to': [entry('removal', { DOI: WORK })] };
    expect(crossref(item, '10.5555/alias')).toBe(NOT_REPORTED);
  });

  it('are those that an answer for another DOI has for this one', () => {
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

  it('keep a notice without a DOI or without a type', () => {
    expect(crossref({ 'updated-by': [{ type: 'retraction' }, { DOI: '10.5555/n' }] })).toMatchObject({
      outcome: 'RETRACTED',
      notices: [
        { kind: 'RETRACTION', doi: null },
        { kind: 'OTHER', type: '', doi: '10.5555/n' },
      ],
    });
  });

  it('are not "none" if an entry cannot be read', () => {
    for (const junk of ['retraction', [{}], [null], 7]) {
      expect(crossref({ 'updated-by': junk }).outcome).toBe('NOT_REPORTED');
    }
    expect(crossref({ 'updated-by': null }).outcome).toBe('NONE_RECORDED');
    expect(crossref({ 'updated-by': ['junk', entry('retraction')] }).outcome).toBe('RETRACTED');
  });

  it('decide the outcome by all entries, and keep the first', () => {
    const many = Array.from({ length: 100_000 }, (_, index) =>
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

describe('updates of a DataCite record', () => {
  it('are its withdrawal and the records that replaced it', () => {
    const updates = datacite({
      dates: [
        { date: '2022', dateType: 'Withdrawn' },
        { date: '2021-03', dateType: 'Withdrawn' },
        { date: '2020', dateType: 'Issued' },
      ],
      relatedIdentifiers: [
        {
          relationType: 'IsObsoletedBy',
          relatedIdentifier: 'https://doi.org/10.5555/B',
          relatedIdentifierType: 'DOI',
        },
        { relationType: 'IsObsoletedBy', relatedIdentifier: 'https://a.org/1', relatedIdentifierType: 'URL' },
        { relationType: 'Obsoletes', relatedIdentifier: '10.5555/a', relatedIdentifierType: 'DOI' },
      ],
    });
    const common = { sources: ['DataCite'], recordIds: [] };
    expect(plain(updates)).toEqual({
      outcome: 'WITHDRAWN',
      notices: [
        { kind: 'WITHDRAWAL', type: 'Withdrawn', doi: null, date: '2021-03', ...common },
        { kind: 'NEW_VERSION', type: 'IsObsoletedBy', doi: '10.5555/B', date: null, ...common },
        { kind: 'NEW_VERSION', type: 'IsObsoletedBy', doi: null, date: null, ...common },
      ],
      isNoticeFor: [],
    });
  });

  it('are not reported for another record', () => {
    const withdrawn = { dates: [{ date: '2022', dateType: 'Withdrawn' }] };
    expect(datacite(withdrawn, '10.5555/alias')).toBe(NOT_REPORTED);
    expect(datacite(withdrawn, '10.5555/WORK').outcome).toBe('WITHDRAWN');
  });
});

describe('laws of updates', () => {
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
  /** In no order, and without the spelling of the first entry. */
  const inNoOrder = (updates: Updates): unknown => {
    const sorted = (list: Updates['notices']) =>
      list
        .map(({ kind, doi, date, sources, recordIds }) =>
          JSON.stringify([kind, doi?.toLowerCase(), date, sources.toSorted(), recordIds.toSorted()]),
        )
        .toSorted();
    return [updates.outcome, sorted(updates.notices), sorted(updates.noticeOf)];
  };

  it('no JSON makes a reader throw, and the result is frozen', () => {
    const member = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.dictionary(fc.constantFrom('DOI', 'type', 'updated', 'record-id'), fc.jsonValue())),
    );
    const names = fc.constantFrom('updated-by', 'update-to', 'dates', 'relatedIdentifiers');
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(names, member)), (json) => {
        for (const value of [json, { DOI: WORK, doi: WORK, ...(json as object) }]) {
          for (const read of [readCrossrefUpdates, readDataciteUpdates]) {
            const updates = read(value, name(WORK));
            expect(Object.isFrozen(updates.notices)).toBe(true);
            expect(JSON.parse(JSON.stringify(updates))).toEqual(updates);
          }
        }
      }),
    );
  });

  it('the order of entries and the case of DOIs do not matter', () => {
    fc.assert(
      fc.property(items, (item) => {
        const expected = inNoOrder(crossref(item));
        const turned = {
          'updated-by': item['updated-by'].toReversed(),
          'update-to': item['update-to'].toReversed(),
        };
        expect(inNoOrder(crossref(turned))).toEqual(expected);
        const upper = JSON.parse(
          JSON.stringify(item)
            .replaceAll('10.5555/work', '10.5555/WORK')
            .replaceAll('10.5555/a', '10.5555/A'),
        );
        expect(inNoOrder(crossref({ ...upper, DOI: WORK.toUpperCase() }))).toEqual(expected);
      }),
    );
  });

  it('merging twice is merging once', () => {
    fc.assert(
      fc.property(items, (item) => {
        const twice = {
          'updated-by': [...item['updated-by'], ...item['updated-by']],
          'update-to': [...item['update-to'], ...item['update-to']],
        };
        expect(crossref(twice)).toEqual(crossref(item));
      }),
    );
  });
});
