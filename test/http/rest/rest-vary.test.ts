// The Vary header of a redirect.

import { expect, test } from 'vitest';
import type { RecordBehaviour } from '../../support/fake-directory.ts';
import { testTable } from '../../support/test-table.ts';
import { type FaceOptions, responseTo } from './face-under-test.ts';
import { aliasTo, locations, value } from './rest-gateway.ts';

const CONNEG = '<location http_role="conneg" href="https://data.example/"/>';
const PLAIN = '<location href="https://example.org/loc"/>';
const COUNTRY = '<location country="gb" href="https://uk.example/"/>';
const records: Readonly<Record<string, RecordBehaviour>> = {
  '10.1000/1': [value('URL', 'https://example.org/')],
  '10.1000/two': [locations(PLAIN, 1), locations(CONNEG, 2), value('URL', 'https://example.org/', 3)],
  '10.1000/unreadable': [value('10320/loc', 'x', 1), locations(CONNEG + COUNTRY, 2)],
  '10.1000/country': [locations(PLAIN + COUNTRY)],
  '10.1000/spaced': [locations(`${PLAIN}<location country = "gb" href="https://gb.example/"/>`)],
  '10.1000/methods': [value('10320/loc', `<locations chooseby="country">${PLAIN}</locations>`)],
  '10.1000/browser': [
    locations(`<location http_role="browser" weight="0" href="https://b.example/"/>${PLAIN}`),
  ],
  '10.1000/no-opinion': [
    locations(`<location http_role="no_conneg" weight="0" href="https://n.example/"/>${PLAIN}`),
  ],
  '10.1000/html': [locations(`<location ctype="text/html" weight="0" href="https://h.example/"/>${PLAIN}`)],
  '10.1000/turtle': [
    locations(`<location media-type="text/turtle" weight="0" href="https://t.example/"/>${PLAIN}`),
  ],
  '10.1000/french': [locations(`<location language="fr" weight="0" href="https://f.example/"/>${PLAIN}`)],
  '10/alias': aliasTo('10.1000/two'),
};
const services = { localServices: ['https://resolver.example.edu/'] };
const countries = { countryHeader: 'cf-ipcountry' };

testTable<[string, FaceOptions, string | undefined]>([
  ['/10.1000/1', {}, undefined],
  ['/10.1000/1', countries, undefined],
  ['/10.1000/1', services, 'Accept, Cookie'],
  ['/10.1000/1?nols', services, 'Accept, Cookie'],
  ['/10.1000/none', services, 'Accept, Cookie'],
  ['/10.1000/two', {}, undefined],
  ['/10.1000/two?index=1', {}, undefined],
  ['/10.1000/two?index=2', {}, 'Accept'],
  ['/10/alias', {}, undefined],
  ['/10.1000/unreadable', {}, 'Accept'],
  ['/10.1000/unreadable', { ...countries, ...services }, 'Accept, cf-ipcountry, Cookie'],
  ['/10.1000/country', {}, undefined],
  ['/10.1000/country', countries, 'cf-ipcountry'],
  ['/10.1000/spaced', countries, 'cf-ipcountry'],
  ['/10.1000/methods', countries, undefined],
  ['/10.1000/browser', {}, 'Accept, User-Agent'],
  ['/10.1000/no-opinion', {}, 'Accept, User-Agent'],
  ['/10.1000/html', {}, 'Accept, User-Agent'],
  ['/10.1000/turtle', {}, 'Accept'],
  ['/10.1000/french', services, 'Accept, Accept-Language, Cookie'],
])('%s with %j varies by %s', async (target, options, vary) => {
  const { headers } = await responseTo(target, records, options);
  expect(headers['Vary']).toBe(vary);
});

const VALUES: readonly [name: string, values: readonly (string | undefined)[], vary: RegExp][] = [
  ['accept', [undefined, 'text/html', 'application/json', 'text/turtle', 'image/png'], /Accept(?:,|$)/],
  ['accept-language', [undefined, 'fr', 'en'], /Accept-Language/],
  ['user-agent', ['curl/8', 'Mozilla/5.0'], /User-Agent/],
  [
    'cookie',
    [undefined, `doi-local-service=${encodeURIComponent('https://resolver.example.edu/')}`],
    /Cookie/,
  ],
];

test('a redirect varies by every header that changes the target of the redirect', async () => {
  for (const name of Object.keys(records)) {
    for (const query of ['', '?index=1', '?index=2', '?type=10320/loc', '?nols']) {
      for (const options of [{}, services]) {
        const target = `/${name}${query}`;
        const { headers } = await responseTo(target, records, options);
        for (const [header, values, vary] of VALUES) {
          const targets = values.map(async (text) => {
            const sent = text === undefined ? {} : { [header]: text };
            return (await responseTo(target, records, { ...options, headers: sent })).headers['Location'];
          });
          if (new Set(await Promise.all(targets)).size > 1) {
            expect([target, headers['Vary']]).toEqual([target, expect.stringMatching(vary)]);
          }
        }
      }
    }
  }
});
