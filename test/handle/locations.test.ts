// The XML of a 10320/loc value. Broken XML is read up to its fault.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { DEFAULT_STATUS, fillIn, readList } from '../../src/handle/locations.ts';
import { doiName } from '../support/doi-names.ts';
import { testTable } from '../support/test-table.ts';

const NAME = doiName('10.5555/a b/c%2F<é>');

const parseLocations = (xml: string, name: HandleName) => fillIn(readList(xml), name);
const read = (xml: string) => parseLocations(xml, NAME);
const hrefs = (xml: string) => read(xml).locations.map(({ href }) => href);
const one = (attributes: string) => read(`<locations><location ${attributes}/></locations>`).locations[0];

describe('a list of locations', () => {
  test('is read in order, with all attributes', () => {
    const xml = `<?xml version="1.0"?>
      <!-- for two countries -->
      <locations chooseby="country, Weighted">
        <location id="0" href="https://uk.example.com/" country="gb" weight="0.5" label="A &amp; B &#x263a;" />
        <location id="1" href='https://www1.example.com/'>text</location>
      </locations>`;
    expect(read(xml)).toEqual({
      chooseBy: ['country', 'weighted'],
      statusCode: null,
      excludesPrefix: false,
      excludesUrls: false,
      fault: null,
      locations: [
        {
          href: 'https://uk.example.com/',
          weight: 0.5,
          statusCode: null,
          attributes: [
            { name: 'id', value: '0' },
            { name: 'href', value: 'https://uk.example.com/' },
            { name: 'country', value: 'gb' },
            { name: 'weight', value: '0.5' },
            { name: 'label', value: 'A & B ☺' },
          ],
        },
        expect.objectContaining({ href: 'https://www1.example.com/', weight: 1 }),
      ],
    });
  });

  testTable([
    ['<locations/>', ['locatt', 'country', 'score', 'weighted']],
    ['<locations chooseby="weighted"/>', ['weighted']],
    ['<locations choose_by="country,weighted"/>', ['country', 'weighted']],
    ['<locations choose_by="country" chooseby="weighted"/>', ['weighted']],
    ['<locations chooseby="moon, locatt"/>', ['moon', 'locatt']],
    ['<locations chooseby="country,locatt, Country,locatt"/>', ['country', 'locatt']],
    [`<locations chooseby="${'moon,'.repeat(15)}locatt,country"/>`, ['moon', 'locatt']],
  ])('has the methods of chooseby, each once', (xml, chooseBy) => {
    expect(read(xml)).toMatchObject({ chooseBy, locations: [], fault: null });
  });

  test('has only locations that are directly inside the list and have a URL', () => {
    const xml = `<locations><location id="nowhere"/><group><location href="https://deep.example/"/></group>
      <place href="https://other.example/"/><location href="https://example.org/"/></locations>`;
    expect(hrefs(xml)).toEqual(['https://example.org/']);
  });

  test('is empty if the outermost element is another element', () => {
    expect(read('<location href="https://example.org/"/>')).toMatchObject({
      locations: [],
      fault: expect.stringContaining('locations'),
    });
  });
});

describe('a template', () => {
  testTable([
    ['https://e.org/{hdl}', 'https://e.org/10.5555%2Fa%20b%2Fc%252F%3C%C3%A9%3E'],
    ['https://e.org/{hdl:path}', 'https://e.org/10.5555/a%20b/c%252F%3C%C3%A9%3E'],
    [
      'https://e.org/?d={hdl}&amp;e={hdl:path}',
      'https://e.org/?d=10.5555%2Fa%20b%2Fc%252F%3C%C3%A9%3E&e=10.5555/a%20b/c%252F%3C%C3%A9%3E',
    ],
    ['https://e.org/{other}', 'https://e.org/{other}'],
  ])('is filled in with the requested name', (template, href) => {
    expect(one(`href_template="${template}"`)?.href).toBe(href);
  });

  test('encodes dot segments, and reads no placeholder or "$&" in the name', () => {
    const xml = '<locations><location href_template="https://e.org/{hdl:path}|{hdl}"/></locations>';
    const [location] = parseLocations(xml, doiName('10.1/../{hdl:path}$&')).locations;
    expect(location?.href).toBe(
      'https://e.org/10.1/..%2F%7Bhdl:path%7D$%26|10.1%2F..%2F%7Bhdl%3Apath%7D%24%26',
    );
  });

  test('is filled in until the URLs have the maximum length of a list', () => {
    const href = `href_template="https://e.org/${'{hdl}'.repeat(500)}"`;
    const xml = `<locations>${`<location ${href}/>`.repeat(50)}</locations>`;
    const { locations, fault } = parseLocations(xml, doiName(`10.1/${'x'.repeat(95)}`));
    expect(locations.length).toBe(Math.floor(262_144 / (14 + 500 * 102)));
    expect(fault).toMatch(/\w.*\.$/);
    expect(parseLocations(xml, doiName('10.1/x')).fault).toBeNull();
  });

  test('is ignored beside an href', () => {
    expect(one('href_template="https://t.example/{hdl}" href="https://h.example/"')?.href).toBe(
      'https://h.example/',
    );
  });
});

describe('http_sc', () => {
  testTable([
    ['', '', 302],
    ['', 'http_sc="307"', 307],
    ['http_sc="303"', '', 303],
    ['http_sc="303"', 'http_sc="301"', 301],
    ['http_sc="308"', '', 308],
    ['http_sc=" 303 "', '', 303],
    ['http_sc="200"', '', 302],
    ['http_sc="303"', 'http_sc="200"', 302],
    ['http_sc="304"', '', 302],
    ['http_sc="-301"', '', 302],
  ])(
    'of the location comes before http_sc of the list, and an invalid status counts as 302',
    (list, location, statusCode) => {
      const xml = `<locations ${list}><location ${location} href="https://example.org/"/></locations>`;
      const { locations, statusCode: ofList } = read(xml);
      expect(locations.map((each) => each.statusCode ?? ofList ?? DEFAULT_STATUS)).toEqual([statusCode]);
    },
  );
});

testTable([
  ['', 1],
  ['weight="2.5"', 2.5],
  ['weight="0"', 0],
  ['weight="-3"', -3],
  ['weight="1e2"', 100],
  ['weight="heavy"', 1],
  ['weight="1,5"', 1],
  ['weight="Infinity"', 1],
  ['weight="1e999"', 1],
  ['weight="0x10"', 1],
  [`weight="${'0'.repeat(31)}2"`, 2],
  [`weight="${'0'.repeat(32)}2"`, 1],
  [`weight="${'1'.repeat(60_000)}x"`, 1],
])('an unreadable weight counts as 1', (attribute, weight) => {
  expect(one(`${attribute} href="https://example.org/"`)?.weight).toBe(weight);
});

testTable([
  ['https://e.org/?a=1&b=2', 'https://e.org/?a=1&b=2'],
  ['https://e.org/?a=1&amp;b=2', 'https://e.org/?a=1&b=2'],
  ['https://e.org/?copy=1&copy;=2', 'https://e.org/?copy=1&copy;=2'],
  ['https://e.org/?lt=1&lt=2', 'https://e.org/?lt=1&lt=2'],
  ['https://e.org/?a&#38;b&', 'https://e.org/?a&b&'],
  ['https://e.org/?a&&amp;amp;', 'https://e.org/?a&&amp;'],
])('a bare "&" is read as "&"', (written, href) => {
  expect(read(`<locations><location href="${written}"/></locations>`)).toMatchObject({
    fault: null,
    locations: [{ href }],
  });
});

describe('a list with a fault', () => {
  const good = '<locations http_sc="303"><location href="https://example.org/1"/>';

  testTable([
    ['the end is missing', good],
    ['an element is not closed', `${good}<a></locations>`],
    ['an attribute is there twice', `${good}<location href="https://x.example/" href=""/></locations>`],
    ['an attribute has no quotes', `${good}<location href=https://x.example//></locations>`],
    ['an attribute holds "<"', `${good}<location href="https://x.example/<"/></locations>`],
    ['a start tag is cut off', `${good}<location href="https://x.example/"`],
    ['a character is not allowed', `${good}<location href="https://x.example/&#0;"/></locations>`],
    ['other text follows the end', `${good}</locations><locations>`],
    ['there are 17 levels', `${good}${'<a>'.repeat(16)}${'</a>'.repeat(16)}</locations>`],
    [
      'an element has too many attributes',
      `${good}<location ${Array.from({ length: 65 }, (_, n) => `a${n}=""`).join(' ')} href="https://x.example/"/></locations>`,
    ],
  ])('has the locations before the fault, and a message', (_, xml) => {
    const { locations, fault } = read(xml);
    expect(locations).toMatchObject([{ href: 'https://example.org/1' }]);
    expect(read(xml).statusCode).toBe(303);
    expect(fault).toMatch(/\w.*\.$/);
  });

  test('has a location whose start tag is complete', () => {
    const xml = '<locations><location href="https://example.org/?a=1&b=2"></locations>';
    expect(read(xml)).toMatchObject({ locations: [{ href: 'https://example.org/?a=1&b=2' }] });
    expect(read(xml).fault).not.toBeNull();
  });

  testTable(['', 'https://example.org/', '{}', '<', '\u0000', '<!-- -->', '<html><p>', '\ufeff'])(
    'has no locations if the fault is at its beginning',
    (xml) => {
      expect(read(xml)).toMatchObject({ locations: [], fault: expect.stringMatching(/\w/) });
    },
  );
});

testTable([
  ['an entity', '<!DOCTYPE locations [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>', '&lol2;'],
  ['an external entity', '<!DOCTYPE locations [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
  ['an external subset', '<!DOCTYPE locations SYSTEM "http://example.org/x.dtd">', ''],
])('a document type is not read', (_, doctype, entity) => {
  const xml = `${doctype}<locations><location href="https://example.org/${entity}"/></locations>`;
  expect(read(xml)).toMatchObject({ locations: [], fault: expect.stringContaining('document type') });
});

const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}=""`).join(' ');

testTable([
  ['1 MB of locations', '<location href="https://example.org/2"/>'.repeat(25_000)],
  ['1 MB of text', 'x'.repeat(1_000_000)],
  ['1 MB of "&"', '&'.repeat(1_000_000)],
  ['1 MB of one attribute', `<location href="https://example.org/${'x'.repeat(1_000_000)}"/>`],
  ['20,000 attributes', `<location ${attributes(20_000)}/>`],
  ['20,000 levels', '<a>'.repeat(20_000)],
  ['10,000 locations', '<location href="x"/>'.repeat(10_000)],
  ['100,000 "&" and "<"', '&<'.repeat(100_000)],
  ['52,000 times the name', `<location href_template="${'{hdl}'.repeat(52_000)}"/>`],
])('a list of hostile size has a fault and at most 1,001 locations', (_, inside) => {
  const { locations, fault } = read(
    `<locations><location href="https://example.org/1"/>${inside}</locations>`,
  );
  expect(fault).toMatch(/\w.*\.$/);
  expect(locations.length).toBeLessThanOrEqual(1_001);
});
