// Files of names as curators have them, with the outcome of each row.

import { readFileSync } from 'node:fs';
import { urlValue } from './fake-directory.ts';

export const CURATORS_RECORDS = Object.fromEntries(
  ['alpha', 'beta', 'gamma', 'delta', '(sici)1097-0258;2-o', 'one,10.5555/two'].map((suffix) => [
    `10.5555/${suffix}`,
    [urlValue('https://example.org/')],
  ]),
);

export interface CuratorsFile {
  readonly name: string;
  readonly column?: string;
  /** the format of the file if the first line does not show the format */
  readonly from?: 'lines';
  /** for each row: its error, `found` or `absent`, then the names in it */
  readonly rows: readonly string[];
  /** like `rows`, with a row for each name of a cell with several names; `name` and the outcome */
  readonly split: readonly string[];
}

export const CURATORS_FILES: readonly CuratorsFile[] = [
  {
    name: 'dspace.csv',
    column: 'dc.identifier.doi',
    rows: [
      'found',
      'SEVERAL_NAMES 10.5555/beta 10.5555/gamma',
      'SEVERAL_NAMES 10.5555/alpha',
      'EMPTY',
      'found',
      'found',
      'absent',
    ],
    split: [
      '10.5555/alpha found',
      '10.5555/beta found',
      '10.5555/gamma found',
      '10.5555/alpha found',
      ' EMPTY',
      '10.5555/(sici)1097-0258;2-o found',
      '10.5555/one,10.5555/two found',
      '10.5555/beta||978-3-16-148410-0 absent',
    ],
  },
  {
    name: 'zotero.csv',
    rows: [
      'found',
      'SEVERAL_NAMES 10.5555/beta 10.5555/gamma',
      'SEVERAL_NAMES 10.5555/gamma 10.5555/delta',
      'EMPTY',
      'INVALID_DOI',
    ],
    split: [
      '10.5555/alpha found',
      '10.5555/beta found',
      '10.5555/gamma found',
      '10.5555/gamma found',
      '10.5555/delta found',
      ' EMPTY',
      ' INVALID_DOI',
    ],
  },
  {
    name: 'excel.csv',
    rows: [
      'found',
      'SEVERAL_NAMES 10.5555/beta 10.5555/gamma',
      'SEVERAL_NAMES 10.5555/gamma 10.5555/delta',
      'absent',
      'EMPTY',
    ],
    split: [
      '10.5555/alpha found',
      '10.5555/beta found',
      '10.5555/gamma found',
      '10.5555/gamma found',
      '10.5555/delta found',
      '10.5555/absent absent',
      ' EMPTY',
    ],
  },
  {
    name: 'scopus.txt',
    column: 'DI',
    rows: ['found', 'SEVERAL_NAMES 10.5555/beta 10.5555/beta-2', 'EMPTY', 'TOO_FEW_COLUMNS'],
    split: [
      '10.5555/alpha found',
      '10.5555/beta found',
      '10.5555/beta-2 absent',
      ' EMPTY',
      ' TOO_FEW_COLUMNS',
    ],
  },
  {
    name: 'list.txt',
    from: 'lines',
    rows: ['INVALID_DOI', 'found', 'SEVERAL_NAMES 10.5555/beta 10.5555/gamma', 'found', 'absent'],
    split: [
      ' INVALID_DOI',
      '10.5555/alpha found',
      '10.5555/beta found',
      '10.5555/gamma found',
      '10.5555/delta found',
      '10.5555/absent absent',
    ],
  },
];

export const curatorsPath = (name: string): string =>
  new URL(`../fixtures/curators/${name}`, import.meta.url).pathname;

export const curatorsBytes = (name: string): Buffer => readFileSync(curatorsPath(name));
