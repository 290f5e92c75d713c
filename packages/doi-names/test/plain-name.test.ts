// A plain name is read without the parser, because every form reads it as the same name.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { doiNames } from '../../../test/support/doi-names.ts';
import { isPlainName } from '../src/name.ts';
import { parseDoi } from '../src/parse.ts';

const PLAIN = ['10.1000/182', '10.1000.10/a', '10.1/<>?#"+', '10.1/.', '10.1//', '10.1/~!'];
const NO_NAMES = [
  '',
  '10',
  '10.',
  '10.1',
  '10.1/',
  '10./a',
  '10.1./a',
  '10..1/a',
  '10.a/b',
  '10/a',
  '11.1/a',
];
const NAMES_OF_ONE_FORM = ['doi:10.1/a', ' 10.1/a', '10.1/a ', '10.1/a b', '10.1/a%', '10.1/%41', '10.1/é'];
const WITH_OTHER_CHARACTERS = ['10.1/a\u007f', '10.1/a\u0000', '10.１/a'];

test('a plain name has a prefix of digits and a suffix of ASCII without space and percent sign', () => {
  expect(PLAIN.filter((name) => !isPlainName(name))).toEqual([]);
  expect([...NO_NAMES, ...NAMES_OF_ONE_FORM, ...WITH_OTHER_CHARACTERS].filter(isPlainName)).toEqual([]);
});

test('a plain name is read like the same name with white space around it', () => {
  fc.assert(
    fc.property(doiNames().filter(isPlainName), (name) => {
      for (const form of ['NAME', 'WEB_FORM', null] as const) {
        const read = parseDoi(` ${name} `, 'WEB_FORM');
        expect(parseDoi(name, form)).toEqual({ ...read, input: name, form: form ?? 'WEB_FORM' });
        expect(parseDoi(name, form).name).toBe(name);
      }
    }),
  );
});
