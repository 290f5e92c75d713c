// A plain name is one that reads the same in every way.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiNames } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { isPlainName } from '../src/name.ts';
import { parseDoi } from '../src/parse.ts';

describe('a plain name', () => {
  testTable(['10.1000/182', '10.1000.10/a', '10.1/<>?#"+', '10.1/.', '10.1//', '10.1/~!'])(
    'every row',
    (input) => {
      expect(isPlainName(input)).toBe(true);
    },
  );

  testTable([
    ...[
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
      'doi:10.1/a',
    ],
    ...[
      ' 10.1/a',
      '10.1/a ',
      '10.1/a b',
      '10.1/a%',
      '10.1/%41',
      '10.1/é',
      '10.1/a\u007f',
      '10.1/a\u0000',
      '10.１/a',
    ],
  ])('is not %j', (input) => {
    expect(isPlainName(input)).toBe(false);
  });
});

test('a plain name is itself, read as a name, as a bare name or as whatever it may be', () => {
  fc.assert(
    fc.property(doiNames().filter(isPlainName), (name) => {
      for (const form of ['NAME', 'WEB_FORM', null] as const) {
        expect(parseDoi(name, form)).toEqual({
          ...parseDoi(` ${name} `, 'WEB_FORM'),
          input: name,
          form: form ?? 'WEB_FORM',
        });
        expect(parseDoi(name, form).name).toBe(name);
      }
    }),
  );
});
