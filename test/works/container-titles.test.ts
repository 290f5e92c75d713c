import { expect } from 'vitest';
import { readContainers } from '../../src/works/container-titles.ts';
import { testTable } from '../support/test-table.ts';

const LNCS = 'Lecture Notes in Computer Science';

testTable<[titles: unknown, book: string | null, series: string | null, short?: unknown, event?: string]>([
  [[LNCS, 'Algorithm Engineering'], 'Algorithm Engineering', LNCS],
  [['Trustworthy Global Computing', LNCS], 'Trustworthy Global Computing', LNCS],
  [['ACS Symposium Series', 'Coffee'], 'Coffee', 'ACS Symposium Series'],
  [['Series', 'Part', 'Book'], 'Book', 'Series'],
  [['ICML 2020', 'Proceedings'], 'ICML 2020', 'Proceedings', [], 'ICML 2020'],
  [['Series', 'Proceedings of ICML'], 'Proceedings of ICML', 'Series', [], 'ICML 2020'],
  [['Journal of Psychology', 'J. Psych.'], 'Journal of Psychology', null, ['J. Psych.']],
  [['Cytol. Genet.', 'Cytology and Genetics'], 'Cytology and Genetics', null],
  [['Ecology', 'ecology'], 'Ecology', null],
  [['', 'Ecology &amp; Law'], 'Ecology & Law', null],
  ['Ecology', 'Ecology', null],
  [[], null, null],
  [{ en: 'Ecology' }, 'Ecology', null],
])(
  'the titles of the book or journal and of its series are read',
  (titles, container, series, short = [], event) => {
    expect(readContainers(titles, short, event)).toEqual({ container, series });
  },
);
