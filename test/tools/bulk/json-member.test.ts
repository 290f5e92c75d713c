// The function changes one string of a JSON object, and keeps all other text.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withMember } from '../../../src/tools/bulk/json-member.ts';

test('only the member of the key changes, in any object', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(objects, fc.string(), fc.string(), fc.string(), (others, key, before, value) => {
      fc.pre(key !== '__proto__' && !('__proto__' in others));
      const text = JSON.stringify({ ...others, [key]: before }, null, 1);
      const changed = withMember(text, key, value);
      expect(JSON.parse(changed)).toEqual({ ...JSON.parse(text), [key]: value });
      expect(withMember(changed, key, before)).toBe(text);
    }),
  );
});

test('if an object has a key twice, the last member changes, because JSON.parse reads the last member', () => {
  expect(withMember('{"a":"1","b":{"a":"2"},"a":"3","c":"a"}', 'a', '4')).toBe(
    '{"a":"1","b":{"a":"2"},"a":"4","c":"a"}',
  );
});
