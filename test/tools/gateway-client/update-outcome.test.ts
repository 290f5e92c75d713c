import { expect, test } from 'vitest';
import {
  isRetracted,
  type Notice,
  type UpdatesFields,
  updatesText,
  workUpdates,
} from '../../../src/tools/gateway-client/update-outcome.ts';

type Fields = Partial<UpdatesFields['notices'][number]> & Pick<Notice, 'kind'>;

const fieldsOf = (outcome: UpdatesFields['outcome'], source: string, ...notices: readonly Fields[]) => ({
  outcome,
  source,
  notices: notices.map((notice) => ({ date: null, doi: null, sources: [], ...notice })),
});

test('an outcome keeps only the gravest notices, and shortens long sources', () => {
  const sources = Array(50).fill(`a\n\u001B\u202Eb ${'x'.repeat(500)}`);
  const notices = [...Array(99).fill({ kind: 'CORRECTION', sources }), { kind: 'RETRACTION' }];
  const updates = workUpdates(fieldsOf('RETRACTED', 'Crossref', ...notices));
  expect(isRetracted(updates)).toBe(true);
  expect(updates.notices).toHaveLength(5);
  const text = updatesText(updates);
  expect(text).toMatch(/^RETRACTED; correction a b x+…, /);
  expect(text.length).toBeLessThan(2_000);
});

test.each<[UpdatesFields | null, string, boolean]>([
  [fieldsOf('NONE_RECORDED', 'Crossref'), 'none recorded by Crossref', false],
  [fieldsOf('NOT_REPORTED', 'DataCite'), 'not reported by DataCite', false],
  [fieldsOf('NOT_REPORTED', 'Crossref'), 'reported for another DOI', false],
  [null, 'not reported: the agency has no metadata', false],
  [fieldsOf('RETRACTED', 'Crossref', { kind: 'RETRACTION' }), 'RETRACTED', true],
  [fieldsOf('WITHDRAWN', 'DataCite', { kind: 'WITHDRAWAL' }), 'WITHDRAWN', true],
  [fieldsOf('REMOVED', 'Crossref', { kind: 'REMOVAL' }), 'REMOVED', true],
  [fieldsOf('PARTLY_RETRACTED', 'Crossref', { kind: 'PARTIAL_RETRACTION' }), 'PARTLY RETRACTED', true],
  [fieldsOf('CONCERN', 'Crossref', { kind: 'EXPRESSION_OF_CONCERN' }), 'CONCERN', false],
  [
    fieldsOf(
      'RETRACTED',
      'Crossref',
      { kind: 'CORRECTION', date: { text: '2019' } },
      {
        kind: 'RETRACTION',
        date: { text: '2020-05-06' },
        doi: { url: 'https://doi.org/10.5555/n' },
        sources: ['publisher', 'retraction-watch'],
      },
    ),
    'RETRACTED 2020-05-06, notice https://doi.org/10.5555/n, publisher, retraction-watch; correction 2019',
    true,
  ],
  [
    fieldsOf('CONTRADICTORY', 'Crossref', { kind: 'CORRECTION' }, { kind: 'RETRACTION' }),
    'CONTRADICTORY retraction; correction',
    true,
  ],
])('the updates %j are written as “%s”', (fields, text, retracted) => {
  const updates = workUpdates(fields);
  expect([updatesText(updates), isRetracted(updates)]).toEqual([text, retracted]);
});
