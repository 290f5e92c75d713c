// Times: RFC 3339 keeps its text, other ISO 8601 is converted to it, and nothing else is a time.

import { describe, expect, test } from 'vitest';
import { toEpochMs, toRfc3339 } from '../../src/handle/time.ts';
import { testTable } from '../support/test-table.ts';

describe('a time that is RFC 3339 keeps its text', () => {
  testTable([
    '2020-07-29T04:52:30Z',
    '2020-07-29t04:52:30z',
    '2020-07-29T04:52:30.5Z',
    '2020-07-29T04:52:30.000000001Z',
    '2020-07-29T04:52:30+00:00',
    '2020-07-29T04:52:30-00:00',
    '2020-07-29T04:52:30+05:30',
    '2020-07-29T04:52:30-23:59',
    '2020-02-29T00:00:00Z',
    '2000-02-29T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
  ])('every row', (text) => {
    expect(toRfc3339(text)).toBe(text);
  });
});

describe('another ISO 8601 time is converted to UTC', () => {
  testTable([
    ['date alone', '2020-07-29', '2020-07-29T00:00:00Z'],
    ['basic date alone', '20200729', '2020-07-29T00:00:00Z'],
    ['basic format', '20200729T045230Z', '2020-07-29T04:52:30Z'],
    ['basic format with a basic offset', '20200729T045230+0200', '2020-07-29T02:52:30Z'],
    ['extended format with a basic offset', '2020-07-29T04:52:30+0000', '2020-07-29T04:52:30Z'],
    ['offset in hours', '2020-07-29T04:52:30-05', '2020-07-29T09:52:30Z'],
    ['no offset', '2020-07-29T04:52:30', '2020-07-29T04:52:30Z'],
    ['no seconds', '2020-07-29T04:52Z', '2020-07-29T04:52:00Z'],
    ['hours alone', '2020-07-29T04', '2020-07-29T04:00:00Z'],
    ['decimal comma', '2020-07-29T04:52:30,5Z', '2020-07-29T04:52:30.500Z'],
    ['week date', '2020-W31-3', '2020-07-29T00:00:00Z'],
    ['basic week date', '2020W313T045230Z', '2020-07-29T04:52:30Z'],
    ['week date in the next year', '2020-W53-5', '2021-01-01T00:00:00Z'],
    ['ordinal date', '2020-211', '2020-07-29T00:00:00Z'],
    ['basic ordinal date', '2020211T045230Z', '2020-07-29T04:52:30Z'],
    ['last day of a leap year', '2020-366', '2020-12-31T00:00:00Z'],
    ['midnight at the end of a day', '2020-07-31T24:00:00Z', '2020-08-01T00:00:00Z'],
  ])('every row', (_, text, converted) => {
    expect(toRfc3339(text)).toBe(converted);
    expect(toEpochMs(text)).toBe(Date.parse(converted));
  });
});

describe('anything else is no time', () => {
  testTable([
    '',
    ' ',
    'yesterday',
    'T',
    '04:52:30',
    'T04:52:30Z',
    '0452',
    '2020',
    '2020-07',
    '202007',
    '2020-W31',
    '--07-29',
    '1595998350',
    '86400',
    'P1D',
    '2020-07-29/2020-07-30',
    '2020-07-29T',
    '2020-07-29 04:52:30Z',
    ' 2020-07-29T04:52:30Z',
    '2020-07-29T04:52:30Z\n',
    '２０２０-07-29',
    'Wed, 29 Jul 2020 04:52:30 GMT',
    '07/29/2020',
  ])('every row', (text) => {
    expect(toRfc3339(text)).toBeNull();
    expect(toEpochMs(text)).toBeNull();
  });

  testTable([
    '2023-02-30',
    '2023-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2023-04-31T00:00:00Z',
    '2023-00-01T00:00:00Z',
    '2023-13-01T00:00:00Z',
    '2023-01-00T00:00:00Z',
    '2023-366',
    '2023-000',
    '2023-W53-1',
    '2023-W01-8',
    '2020-07-29T24:00:01Z',
    '2020-07-29T25:00:00Z',
    '2020-07-29T04:60:00Z',
    '2020-07-29T04:52:61Z',
    '2020-07-29T04:52:30+24:00',
    '2020-07-29T04:52:30+99',
    '2020-07-29T04:52:30+00:60',
    '2020-07-29T04:52:30X',
  ])('%s, which there never was', (text) => {
    expect(toRfc3339(text)).toBeNull();
    expect(toEpochMs(text)).toBeNull();
  });

  testTable(['2020-07-29T04:52:30[Europe/Paris]', '2020-07-29T04:52:30Z[Europe/Paris]'])(
    '%s, which names a place after the fashion of RFC 9557',
    (text) => {
      expect(toRfc3339(text)).toBeNull();
    },
  );
});

describe('a leap second', () => {
  test('is RFC 3339 and keeps its text', () => {
    expect(toRfc3339('2016-12-31T23:59:60Z')).toBe('2016-12-31T23:59:60Z');
    expect(toRfc3339('1990-12-31T15:59:60.5-08:00')).toBe('1990-12-31T15:59:60.5-08:00');
  });

  test('is the last second of its minute to the clock', () => {
    expect(toEpochMs('2016-12-31T23:59:60Z')).toBe(Date.parse('2016-12-31T23:59:59Z'));
  });

  test('is a time in other ISO 8601 too', () => {
    expect(toEpochMs('2016-12-31T23:59:60+0000')).toBe(Date.parse('2016-12-31T23:59:59Z'));
    expect(toEpochMs('20161231T235960Z')).toBe(Date.parse('2016-12-31T23:59:59Z'));
  });
});

describe('milliseconds since the epoch', () => {
  testTable([
    ['1970-01-01T00:00:00Z', 0],
    ['1969-12-31T23:59:59.999Z', -1],
    ['2020-07-29T04:52:30+05:30', Date.parse('2020-07-28T23:22:30Z')],
    ['2020-07-29T04:52:30.1239Z', Date.parse('2020-07-29T04:52:30.123Z')],
  ])('of %s are %d', (text, ms) => {
    expect(toEpochMs(text)).toBe(ms);
  });

  test('are known of every time that keeps its text', () => {
    const text = `2020-07-29T04:52:30.${'1'.repeat(40)}Z`;
    expect(toRfc3339(text)).toBe(text);
    expect(toEpochMs(text)).toBe(Date.parse('2020-07-29T04:52:30.111Z'));
  });
});
