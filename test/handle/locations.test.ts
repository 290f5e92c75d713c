// The XML of a 10320/loc value: what it says, how far it is read when it is broken, and what it may cost.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { DEFAULT_STATUS, fillIn, readList } from '../../src/handle/locations.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { doiName } from '../support/doi-names.ts';
import { testTable } from '../support/test-table.ts';

const ASKED = doiName('10.5555/a b/c%2F<é>');

const parseLocations = (xml: string, name: HandleName) => fillIn(readList(xml), name);
const read = (xml: string) => parseLocations(xml, ASKED);
const hrefs = (xml: string) => read(xml).locations.map(({ href }) => href);
const one = (attributes: string) => read(`<locations><location ${attributes}/></locations>`).locations[0];

/** Hostile input is to be read in far less; a quadratic reader would need minutes. */
const PROMPTLY_MS = 2_000;

async function promptly(xml: string) {
  let result = read('');
  const tookMs = await cpuMsOf(() => {
    result = read(xml);
  });
  expect(tookMs).toBeLessThan(PROMPTLY_MS);
  return result;
}

describe('a list of locations', () => {
  test('is read with all attributes as written, in order', () => {
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
  ])('%s is chosen from by %j', (xml, chooseBy) => {
    expect(read(xml)).toMatchObject({ chooseBy, locations: [], fault: null });
  });

  test('has only the locations directly in it that lead somewhere', () => {
    const xml = `<locations><location id="nowhere"/><group><location href="https://deep.example/"/></group>
      <place href="https://other.example/"/><location href="https://example.org/"/></locations>`;
    expect(hrefs(xml)).toEqual(['https://example.org/']);
  });

  test('is none when the outermost element is another', () => {
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
    ['https://e.org/?d={hdl}&amp;e={hdl}#{hdl:path}', /\?d=10\.5555%2F.*&e=10\.5555%2F.*#10\.5555\/a%20b/],
    ['https://e.org/{other}', 'https://e.org/{other}'],
  ])('%s is filled in with the name that was asked for', (template, href) => {
    expect(one(`href_template="${template}"`)?.href).toEqual(
      typeof href === 'string' ? href : expect.stringMatching(href),
    );
  });

  test('guards dot segments, and takes no placeholder or "$&" from the name', () => {
    const xml = '<locations><location href_template="https://e.org/{hdl:path}|{hdl}"/></locations>';
    const [location] = parseLocations(xml, doiName('10.1/../{hdl:path}$&')).locations;
    expect(location?.href).toBe(
      'https://e.org/10.1/..%2F%7Bhdl:path%7D$%26|10.1%2F..%2F%7Bhdl%3Apath%7D%24%26',
    );
  });

  test('is filled in only until the URLs are as long as a list may be', () => {
    const href = `href_template="https://e.org/${'{hdl}'.repeat(500)}"`;
    const xml = `<locations>${`<location ${href}/>`.repeat(50)}</locations>`;
    const { locations, fault } = parseLocations(xml, doiName(`10.1/${'x'.repeat(95)}`));
    expect(locations.length).toBe(Math.floor(262_144 / (14 + 500 * 102)));
    expect(fault).toMatch(/\w.*\.$/);
    expect(parseLocations(xml, doiName('10.1/x')).fault).toBeNull();
  });

  test('gives way to an href', () => {
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
    ['http_sc="303"', 'http_sc="see other"', 302],
    ['http_sc="304"', '', 302],
    ['http_sc="300"', '', 302],
    ['http_sc="-301"', '', 302],
  ])('of the list "%s" and of the location "%s" is %d', (list, location, statusCode) => {
    const xml = `<locations ${list}><location ${location} href="https://example.org/"/></locations>`;
    const { locations, statusCode: ofList } = read(xml);
    expect(locations.map((each) => each.statusCode ?? ofList ?? DEFAULT_STATUS)).toEqual([statusCode]);
  });
});

testTable([
  ['', 1],
  ['weight="2.5"', 2.5],
  ['weight="12.5"', 12.5],
  ['weight="0"', 0],
  ['weight="-3"', -3],
  ['weight="1e2"', 100],
  ['weight="heavy"', 1],
  ['weight=""', 1],
  ['weight="1,5"', 1],
  ['weight="NaN"', 1],
  ['weight="Infinity"', 1],
  ['weight="1e999"', 1],
  ['weight="0x10"', 1],
  [`weight="${'0'.repeat(31)}2"`, 2],
  [`weight="${'0'.repeat(32)}2"`, 1],
  [`weight="${'1'.repeat(60_000)}x"`, 1],
])('the weight of a location with %s is %d: an unreadable one is 1', (attribute, weight) => {
  expect(one(`${attribute} href="https://example.org/"`)?.weight).toBe(weight);
});

describe('a bare "&"', () => {
  testTable([
    ['https://e.org/?a=1&b=2', 'https://e.org/?a=1&b=2'],
    ['https://e.org/?a=1&amp;b=2', 'https://e.org/?a=1&b=2'],
    ['https://e.org/?copy=1&copy;=2', 'https://e.org/?copy=1&copy;=2'],
    ['https://e.org/?lt=1&lt=2', 'https://e.org/?lt=1&lt=2'],
    ['https://e.org/?a&#38;b&', 'https://e.org/?a&b&'],
    ['https://e.org/?a&&amp;amp;', 'https://e.org/?a&&amp;'],
  ])('stands for itself in %s', (written, href) => {
    expect(read(`<locations><location href="${written}"/></locations>`)).toMatchObject({
      fault: null,
      locations: [{ href }],
    });
  });
});

describe('at a fault', () => {
  const good = '<locations http_sc="303"><location href="https://example.org/1"/>';

  testTable([
    ['the end is missing', good],
    ['an element is not closed', `${good}<a></locations>`],
    ['an attribute is there twice', `${good}<location href="https://x.example/" href=""/></locations>`],
    ['an attribute has no quotes', `${good}<location href=https://x.example//></locations>`],
    ['an attribute holds "<"', `${good}<location href="https://x.example/<"/></locations>`],
    ['a start tag is cut off', `${good}<location href="https://x.example/"`],
    ['a character is none', `${good}<location href="https://x.example/&#0;"/></locations>`],
    ['there is more behind the end', `${good}</locations><locations>`],
    ['there are 17 levels', `${good}${'<a>'.repeat(16)}${'</a>'.repeat(16)}</locations>`],
    [
      'an element has too many attributes',
      `${good}<location ${Array.from({ length: 65 }, (_, n) => `a${n}=""`).join(' ')} href="https://x.example/"/></locations>`,
    ],
  ])('what was read before counts, with a word about it: %s', (_, xml) => {
    const { locations, fault } = read(xml);
    expect(locations).toMatchObject([{ href: 'https://example.org/1' }]);
    expect(read(xml).statusCode).toBe(303);
    expect(fault).toMatch(/\w.*\.$/);
  });

  test('a location counts from its start tag on', () => {
    const xml = '<locations><location href="https://example.org/?a=1&b=2"></locations>';
    expect(read(xml)).toMatchObject({ locations: [{ href: 'https://example.org/?a=1&b=2' }] });
    expect(read(xml).fault).not.toBeNull();
  });

  testTable(['', 'https://example.org/', '{}', '<', '\u0000', '<!-- -->', '<html><p>', '\ufeff'])(
    '%j leaves nothing, and says so',
    (xml) => {
      expect(read(xml)).toMatchObject({ locations: [], fault: expect.stringMatching(/\w/) });
    },
  );
});

describe('document types and entities', () => {
  const LOLS = Array.from({ length: 10 }, (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`).join(
    '',
  );

  testTable([
    ['billion laughs', `<!DOCTYPE locations [<!ENTITY lol0 "lol">${LOLS}]>`, '&lol10;'],
    ['an external entity', '<!DOCTYPE locations [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
    ['an external subset', '<!DOCTYPE locations SYSTEM "http://example.org/x.dtd">', ''],
  ])('are not read: %s', async (_, doctype, entity) => {
    const xml = `${doctype}<locations><location href="https://example.org/${entity}"/></locations>`;
    const { locations, fault } = await promptly(xml);
    expect(locations).toEqual([]);
    expect(fault).toContain('document type');
  });
});

describe('hostile sizes are read promptly or not at all', () => {
  const numbered = (count: number, of: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => of(n));
  const list = (inside: string) => `<locations><location href="https://example.org/1"/>${inside}</locations>`;

  testTable([
    ['1 MB of locations', list('<location href="https://example.org/2"/>'.repeat(25_000))],
    ['1 MB of text', list('x'.repeat(1_000_000))],
    ['1 MB of "&"', list('&'.repeat(1_000_000))],
    ['1 MB of one attribute', list(`<location href="https://example.org/${'x'.repeat(1_000_000)}"/>`)],
    ['100,000 attributes', list(`<location ${numbered(100_000, (n) => `a${n}=""`).join(' ')}/>`)],
    ['100,000 levels', list('<a>'.repeat(100_000))],
    ['20,000 levels', list('<a>'.repeat(20_000))],
    ['20,000 attributes', list(`<location ${numbered(20_000, (n) => `a${n}=""`).join(' ')}/>`)],
    ['10,000 locations', list('<location href="x"/>'.repeat(10_000))],
    ['250,000 "&" and "<"', list('&<'.repeat(100_000))],
    ['52,000 times the name', list(`<location href_template="${'{hdl}'.repeat(52_000)}"/>`)],
  ])('every row', async (_, xml) => {
    const { locations, fault } = await promptly(xml);
    expect(fault).toMatch(/\w.*\.$/);
    expect(locations.length).toBeLessThanOrEqual(1_001);
  });
});
