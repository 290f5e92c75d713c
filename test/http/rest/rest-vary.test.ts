// Which request headers a redirection varies by.

import { expect, test } from 'vitest';
import type { RecordBehaviour } from '../../support/fake-directory.ts';
import { headersOf, type Over } from './face-under-test.ts';
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

test.each<[string, Over, string | undefined]>([
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
])('varies by what may matter to it: %s with %j by %s', async (target, over, vary) => {
  const { headers } = await headersOf(records, target, over);
  expect(headers['Vary']).toBe(vary);
});

test('varies by whatever changes where it leads', async () => {
  const accepts = [undefined, 'text/html', 'application/json', 'text/turtle', 'image/png'];
  const cookies = [undefined, `doi-local-service=${encodeURIComponent('https://resolver.example.edu/')}`];
  const differences = async (target: string, over: Over, header: string, values: (string | undefined)[]) => {
    const led = values.map(async (text) => {
      const sent = text === undefined ? {} : { [header]: text };
      const { headers } = await headersOf(records, target, { ...over, headers: sent });
      return headers['Location'];
    });
    return new Set(await Promise.all(led)).size > 1;
  };
  for (const name of Object.keys(records)) {
    for (const query of ['', '?index=1', '?index=2', '?type=10320/loc', '?nols']) {
      for (const over of [{}, services]) {
        const target = `/${name}${query}`;
        const { headers } = await headersOf(records, target, over);
        const vary = headers['Vary'];
        if (await differences(target, over, 'accept', accepts))
          expect([target, vary]).toEqual([target, expect.stringMatching(/Accept(?:,|$)/)]);
        if (await differences(target, over, 'accept-language', [undefined, 'fr', 'en']))
          expect([target, vary]).toEqual([target, expect.stringContaining('Accept-Language')]);
        if (await differences(target, over, 'user-agent', ['curl/8', 'Mozilla/5.0']))
          expect([target, vary]).toEqual([target, expect.stringContaining('User-Agent')]);
        if (await differences(target, over, 'cookie', cookies))
          expect([target, vary]).toEqual([target, expect.stringContaining('Cookie')]);
      }
    }
  }
});
