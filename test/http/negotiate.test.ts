// What a client accepts, told from its headers.

import { describe, expect, test } from 'vitest';
import { preferredEncoding, preferredType, wantsData } from '../../src/http/response/negotiate.ts';
import { leastCpuMsOf } from '../support/cpu-time.ts';
import { createHttpRequest } from '../support/http-request.ts';
import { testTable } from '../support/test-table.ts';

const OFFERED = ['application/json', 'text/html'] as const;

const asking = (headers: Readonly<Record<string, string>>) => createHttpRequest('/', { headers });
const typeFor = (accept?: string) => preferredType(asking(accept === undefined ? {} : { accept }), OFFERED);
const encodingFor = (accepted?: string) =>
  preferredEncoding(asking(accepted === undefined ? {} : { 'accept-encoding': accepted }));

describe('the type for a body', () => {
  testTable([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html', 'text/html'],
    ['TEXT/HTML', 'text/html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['application/json, text/html;q=0.5', 'application/json'],
    ['text/html;q=0.4, application/json;q=0.3', 'text/html'],
    ['text/html;q=0', null],
    ['image/png', null],
    ['', null],
    ['nonsense', null],
  ])('for %s is %s', (accept, type) => {
    // The second time it is remembered.
    expect([typeFor(accept), typeFor(accept)]).toEqual([type, type]);
  });

  test('is told from what is on offer, whatever else was offered for the same header', () => {
    const request = asking({ accept: 'text/html, application/json;q=0.5' });
    expect(preferredType(request, OFFERED)).toBe('text/html');
    expect(preferredType(request, ['application/json'])).toBe('application/json');
    expect(preferredType(request, ['image/png'])).toBeNull();
  });
});

describe('the encoding for a body', () => {
  testTable([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['zstd', 'identity'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['identity;q=0, *;q=0', 'identity'],
  ])('for %s is %s', (accepted, encoding) => {
    expect([encodingFor(accepted), encodingFor(accepted)]).toEqual([encoding, encoding]);
  });
});

testTable([
  [undefined, false],
  ['application/json', true],
  ['text/turtle;q=1, */*;q=0.1', true],
  ['text/html;q=0.4, text/turtle;q=0.5', true],
  ['*/*', false],
  ['application/*, application/json;q=0.9', false],
  ['application/xhtml+xml', false],
  ['application/json;q=0', false],
])('who accepts %s wants data: %s', (accept, isForData) => {
  expect([wantsData(accept), wantsData(accept)]).toEqual([isForData, isForData]);
});

describe('a header that nobody means', () => {
  const LONG = [
    'text/html,'.repeat(1_500),
    'a/b;q=0.1,'.repeat(1_500),
    `text/html;${'a=b;'.repeat(3_700)}`,
    '*/*,'.repeat(3_700),
    'br,'.repeat(5_000),
    ','.repeat(900),
    'a,'.repeat(400),
    '"'.repeat(15_000),
    `text/html${' '.repeat(15_000)}`,
  ];

  testTable(LONG)('says nothing, and is not read: %s', (header) => {
    expect(typeFor(header)).toBe('application/json');
    expect(wantsData(header)).toBe(false);
    expect(encodingFor(header)).toBe('identity');
  });

  test('costs microseconds, another one each time', async () => {
    const tookMs = await leastCpuMsOf((run) => {
      for (let n = 0; n < 1_000; n += 1) {
        const header = `${LONG[n % LONG.length]}${run}.${n}`;
        typeFor(header);
        wantsData(header);
        encodingFor(header);
      }
    });
    expect(tookMs / 1_000).toBeLessThan(0.05);
  });

  test('of the greatest length that is read costs less than a millisecond', async () => {
    const tookMs = await leastCpuMsOf((run) => {
      for (let n = 0; n < 1_000; n += 1) typeFor(`${run}.${n}/a${',text/html;q=0.1'.repeat(49)}`);
    });
    expect(tookMs / 1_000).toBeLessThan(1);
  });
});
