import { expect, test } from 'vitest';
import { readRange } from '../../src/jobs/http/send-result.ts';

test.each([
  [undefined, null],
  ['bytes=0-9', { begin: 0, end: 10 }],
  ['bytes=90-', { begin: 90, end: 100 }],
  ['bytes=90-1000', { begin: 90, end: 100 }],
  ['bytes=-10', { begin: 90, end: 100 }],
  ['bytes=-1000', { begin: 0, end: 100 }],
  ['bytes=99-99', { begin: 99, end: 100 }],
  ['bytes=100-', 'beyond'],
  ['bytes=-0', 'beyond'],
  ['bytes=9-3', null],
  ['bytes=-', null],
  ['bytes=0-1,5-6', null],
  ['lines=0-1', null],
  ['bytes=0x1-', null],
  [`bytes=${'9'.repeat(99)}-`, null],
] as const)('of 100 bytes %s is %j', (header, range) => {
  expect(readRange(header, 100)).toEqual(range);
});

test('an empty file has no byte range', () => {
  expect(readRange('bytes=0-', 0)).toBe('beyond');
});
