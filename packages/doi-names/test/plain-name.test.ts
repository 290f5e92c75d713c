// A plain name is read without the parser, because every form reads it as the same name.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { doiNames } from '../../../test/support/doi-names.ts';
import { isPlainName } from '../src/name.ts';
import { parseDoi } from '../src/parse.ts';

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
