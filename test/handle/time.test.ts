// A time is RFC 3339, which stays unchanged, or other ISO 8601, which is converted. time-laws.test.ts has the dates.

import { expect } from 'vitest';
import { toEpochMs, toRfc3339 } from '../../src/handle/time.ts';
import { testTable } from '../support/test-table.ts';

testTable([
  '2020-07-29T04:52:30Z',
  '2020-07-29t04:52:30z',
  '2020-07-29T04:52:30.5Z',
  '2020-07-29T04:52:30.000000001Z',
  '2020-07-29T04:52:30+00:00',
  '2020-07-29T04:52:30-00:00',
  '2020-07-29T04:52:30-23:59',
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '1990-12-31T15:59:60.5-08:00',
])('an RFC 3339 time stays unchanged', (text) => {
  expect(toRfc3339(text)).toBe(text);
  expect(toEpochMs(text)).not.toBeNull();
});

testTable([
  ['extended format with a basic offset', '2020-07-29T04:52:30+0000', '2020-07-29T04:52:30Z'],
  ['basic format with a basic offset', '20200729T045230+0200', '2020-07-29T02:52:30Z'],
  ['offset in hours', '2020-07-29T04:52:30-05', '2020-07-29T09:52:30Z'],
  ['no offset', '2020-07-29T04:52:30', '2020-07-29T04:52:30Z'],
  ['no seconds', '2020-07-29T04:52Z', '2020-07-29T04:52:00Z'],
  ['only hours', '2020-07-29T04', '2020-07-29T04:00:00Z'],
  ['decimal comma', '2020-07-29T04:52:30,5Z', '2020-07-29T04:52:30.500Z'],
  ['week date in the next year', '2020-W53-5', '2021-01-01T00:00:00Z'],
  ['basic ordinal date', '2020211T045230Z', '2020-07-29T04:52:30Z'],
  ['midnight at the end of a day', '2020-07-31T24:00:00Z', '2020-08-01T00:00:00Z'],
  ['leap second', '2016-12-31T23:59:60+0000', '2016-12-31T23:59:59Z'],
])('another ISO 8601 time is converted to UTC', (_, text, converted) => {
  expect(toRfc3339(text)).toBe(converted);
  expect(toEpochMs(text)).toBe(Date.parse(converted));
});

testTable([
  ...['', ' ', 'yesterday', 'T', '04:52:30', 'T04:52:30Z', '0452', '2020', '2020-07', '202007', '2020-W31'],
  ...['--07-29', '1595998350', '86400', 'P1D', '2020-07-29/2020-07-30', '2020-07-29T'],
  ' 2020-07-29T04:52:30Z',
  ...[
    '2020-07-29 04:52:30Z',
    '2020-07-29T04:52:30Z\n',
    '２０２０-07-29',
    '07/29/2020',
    '2020-07-29T24:00:01Z',
  ],
  ...['2020-07-29T25:00:00Z', '2020-07-29T04:60:00Z', '2020-07-29T04:52:61Z', '2020-07-29T04:52:30+24:00'],
  ...['2020-07-29T04:52:30+99', '2020-07-29T04:52:30+00:60', '2020-07-29T04:52:30X'],
  ...['Wed, 29 Jul 2020 04:52:30 GMT', '2020-07-29T04:52:30[Europe/Paris]'],
])('any other text is not a time', (text) => {
  expect(toRfc3339(text)).toBeNull();
  expect(toEpochMs(text)).toBeNull();
});

testTable([
  ['1970-01-01T00:00:00Z', 0],
  ['1969-12-31T23:59:59.999Z', -1],
  ['2020-07-29T04:52:30+05:30', Date.parse('2020-07-28T23:22:30Z')],
  ['2020-07-29T04:52:30.1239Z', Date.parse('2020-07-29T04:52:30.123Z')],
  [`2020-07-29T04:52:30.${'1'.repeat(40)}Z`, Date.parse('2020-07-29T04:52:30.111Z')],
  // A leap second is the last second of its minute.
  ['2016-12-31T23:59:60Z', Date.parse('2016-12-31T23:59:59Z')],
])('a time has milliseconds since the epoch, rounded down', (text, ms) => {
  expect(toEpochMs(text)).toBe(ms);
});
