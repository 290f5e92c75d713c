// A path of the REST interface may have a scheme before its name.

import { expect } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { withoutScheme } from '../src/recognise.ts';

testTable([
  ...['doi:', 'hdl:', 'info:doi/', 'info:hdl/', 'DOI:', 'Hdl:', 'INFO:HDL/'].map((scheme) => [
    `${scheme}10.1000/a:b%2Fc`,
    '10.1000/a:b%2Fc',
  ]),
  ['urn:doi:10.1000:a:b/c', '10.1000/a:b/c'],
  ['urn:hdl:10.1000/a:b', '10.1000/a:b'],
  ['URN:DOI:10.1000%3Aa', '10.1000%3Aa'],
  ['urn:doi:', ''],
  // The rest of the path is not read.
  ['doi: 10.1000/1', ' 10.1000/1'],
  ['doi:doi:10.1000/1', 'doi:10.1000/1'],
  ['doi:https://doi.org/10.1000/1', 'https://doi.org/10.1000/1'],
  ['info:hdl/(10.1000/1)', '(10.1000/1)'],
  ['doi:10.1000/1?a#b', '10.1000/1?a#b'],
] as [path: string, name: string][])('a scheme is removed', (path, name) => {
  expect(withoutScheme(path)).toBe(name);
});

testTable(['10.1000/1', '', 'doi', 'urn:10.1000:1', 'info:10.1000/1', 'xdoi:10.1000/1', '%64oi:10.1000/1'])(
  'a path without a scheme stays',
  (path) => {
    expect(withoutScheme(path)).toBe(path);
  },
);
