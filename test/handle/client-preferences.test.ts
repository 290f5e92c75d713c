// The locations that a client prefers, from its headers.

import { describe, expect, test } from 'vitest';
import { type ClientHeaders, readPreferences } from '../../src/handle/client-preferences.ts';
import { testTable } from '../support/test-table.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const BROWSER = ['http_role:browser', 'ctype:text/html', 'media-type:text/html'];

describe('the preferences of a client', () => {
  testTable<[ClientHeaders, readonly string[]]>([
    [{}, ['http_role:no_conneg']],
    [{ accept: '*/*', userAgent: 'curl/8.0' }, ['http_role:no_conneg']],
    [{ accept: 'nonsense' }, ['http_role:no_conneg']],
    [{ userAgent: FIREFOX }, BROWSER],
    [{ accept: '*/*;q=0.5', userAgent: ' OPERA/9.80' }, BROWSER],
    [{ userAgent: `x ${FIREFOX}` }, ['http_role:no_conneg']],
    [{ accept: 'text/html', userAgent: 'curl/8.0' }, BROWSER],
    [{ accept: 'image/png, text/*;q=0.5' }, BROWSER],
    [{ accept: 'image/png' }, ['http_role:browser']],
    [{ accept: 'image/png, text/html;q=0' }, ['http_role:browser']],
    [
      { accept: 'text/turtle;q=0.5, A/B, */*;q=0.1, c/d;q=0.01', userAgent: FIREFOX },
      ['ctype:a/b', 'media-type:a/b', 'ctype:text/turtle', 'media-type:text/turtle', 'http_role:conneg'],
    ],
    [
      { acceptLanguage: 'en;q=0.2,fr-FR,fr;q=0.9,de;q=0, *;q=0.1' },
      ['http_role:no_conneg', 'language:fr-fr', 'language:fr', 'language:en'],
    ],
  ])('come from Accept, User-Agent and Accept-Language', (headers, locatt) => {
    expect(readPreferences(headers).locatt).toEqual(locatt);
  });

  test('ignore a long header and a header with many ranges', () => {
    for (const long of [`fr,${'x'.repeat(1_000)}`, 'fr,'.repeat(51)]) {
      expect(readPreferences({ acceptLanguage: long }).locatt).toEqual(['http_role:no_conneg']);
      expect(readPreferences({ accept: long.replaceAll('fr', 'a/b') }).wantsData).toBe(false);
    }
  });
});
