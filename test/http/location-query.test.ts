import { expect, test } from 'vitest';
import { locationQuery } from '../../src/http/response/negotiate.ts';

test.each([
  ['', ''],
  ['a=b&c=%20?d', '?a=b&c=%20?d'],
  ['a=é b', '?a=%C3%A9%20b'],
  ['\u{1f600}', '?%F0%9F%98%80'],
  ['\ud83d', '?%EF%BF%BD'],
  ['x\r\nSet-Cookie: a=b\u0000\u007f', '?x%0D%0ASet-Cookie:%20a=b%00%7F'],
  ['"<>\\', '?"<>\\'],
])('of %j in a Location header is %s', (query, sent) => {
  expect(locationQuery(query)).toBe(sent);
});
