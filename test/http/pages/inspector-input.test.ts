// What the inspector makes of an input before it asks: the DOI within a text, and what a link asks of the proxy.

import { describe, expect, it } from 'vitest';
import { leastCpuMsOf } from '../../support/cpu-time.ts';

const load = async (name: string): Promise<unknown> =>
  import(new URL(`../../../inspector/${name}`, import.meta.url).href);

const { doiWithin, shortDoiWithin } = (await load('meant.js')) as Record<
  'doiWithin' | 'shortDoiWithin',
  (text: string) => string | null
>;

const { readProxyParameters } = (await load('proxy-parameters.js')) as {
  readProxyParameters(parameters: readonly { name: string; value: string | null }[]): unknown;
};

describe('the DOI within a text', () => {
  it.each([
    ['https://pubs.acs.org/doi/10.1021/jacs.5c01100', 'https://doi.org/10.1021/jacs.5c01100'],
    ['https://a.example/10.1000/456%23789?ref=x#y', 'https://doi.org/10.1000/456%23789'],
    ['See https://doi.org/10.1000/182).', 'https://doi.org/10.1000/182'],
    ['(10.1000/182)', '10.1000/182'],
    ['“10.1000/182”,', '10.1000/182'],
    ['10.1000/182\u200B', '10.1000/182'],
    ['10.10\u00AD00/1\u202E82', '10.1000/182'],
    ['DOI=10.1000/a(b)c(d)).', '10.1000/a(b)c(d)'],
    ['see 10.1002/(SICI)1<30::AID-1>3.0.CO;2-2!', '10.1002/(SICI)1<30::AID-1>3.0.CO;2-2'],
    ['<https://doi.org/10.1000/182>', 'https://doi.org/10.1000/182'],
    ['href="https://doi.org/10.1000/182">182</a>', 'https://doi.org/10.1000/182'],
    ['at https://a.example/ and 10.1000/a?b', '10.1000/a?b'],
  ])('of %j is %j', (text, doi) => {
    expect(doiWithin(text)).toBe(doi);
  });

  it.each(['', 'nonsense', '10.1000', '110.1000/1', '10./1', '10.a/1', 'v1.10.1000/1'])(
    '%j has none',
    (text) => {
      expect(doiWithin(text)).toBeNull();
    },
  );

  it.each(['10.1', '10.1/', '10.', ')', '10.1/).', '://', ' ', '\u200B', 'a'])(
    'takes no longer for much of %j',
    async (piece) => {
      const tookMs = await leastCpuMsOf(() => {
        doiWithin(piece.repeat(300_000));
        doiWithin(`10.1/${piece.repeat(300_000)}`);
      });
      expect(tookMs).toBeLessThan(500);
    },
  );

  it.each([
    ['10/p54k', '10/p54k'],
    [' doi:10/p54k ', '10/p54k'],
    ['https://doi.org/p54k?x', '10/p54k'],
    ['https://doi.org/10/p54k', '10/p54k'],
    ['https://evil.example/p54k', null],
    ['10/../graphql', null],
  ])('the shortDOI in %j is %j', (text, handle) => {
    expect(shortDoiWithin(text)).toBe(handle);
  });
});

describe('what a link asks of the proxy', () => {
  const read = (query: string) =>
    readProxyParameters(
      query.split('&').map((item) => {
        const [name = '', value = null] = item.split('=');
        return { name, value };
      }),
    );
  const plain = { reader: {}, shows: null, refused: false };

  it.each([
    ['x=1', plain],
    ['locatt=id:0&locatt=a:b', { ...plain, reader: { locatt: ['id:0', 'a:b'] } }],
    ['country=gb&country=de&urlappend=?p=2', { ...plain, reader: { country: 'gb', urlAppend: '?p' } }],
    ['ignore_aliases', { ...plain, reader: { ignoreAliases: true } }],
    ['ignore_aliases=no', plain],
    [
      'type=URL&type=URL.&index=1&index=-2',
      { ...plain, reader: { types: ['URL', 'URL.'], indexes: [1, -2] } },
    ],
    ['index=1&index=99999999999', { ...plain, refused: true }],
    ['noredirect', { ...plain, shows: 'record' }],
    ['noredirect=no', plain],
    ['action=showvalues', { ...plain, shows: 'record' }],
    ['action=showurls', { ...plain, shows: 'locations' }],
    ['action=metadata', { ...plain, reader: { locatt: ['role:metadata'] } }],
  ])('%s', (query, expected) => {
    expect(read(query)).toEqual(expected);
  });
});
