// Hostile records, for the embedded directory and for the directory process. All are valid records of the Handle System.

import { list, nest, times } from './requests.ts';

const TIMES = { ttl: 86_400, timestamp: '2020-07-29T04:52:30Z' };

export function value(index: number, type: string, format: string, data: unknown): object {
  return { index, type, data: { format, value: data }, ...TIMES };
}

export const text = (index: number, type: string, data: string): object => value(index, type, 'string', data);
const url = (n: number): string => `https://example.org/${n}`;
const xml = (inner: string, attributes = ''): string => `<locations ${attributes}>${inner}</locations>`;
const plain = (count: number, attributes: (n: number) => string): string =>
  times(count, (n) => `<location id="${n}" href="${url(n)}" ${attributes(n)}/>`, '');
/** A record's 10320/loc with one location: a plain address, or a template of an address. */
const href = (rest: string): string => xml(`<location href="${url(0)}?${rest}"/>`);
const template = (rest: string): string => xml(`<location href_template="${url(0)}${rest}"/>`);
const DOCTYPE = `<!DOCTYPE l [<!ENTITY a "${'x'.repeat(1_000)}">]>`;
const ADMIN = { handle: '0.NA/10.5555', index: 200, permissions: '011111111111' };

/** The 10320/loc of records that have only this value. The keys are the suffixes of their names. */
const LOCATIONS = (): Readonly<Record<string, string>> => ({
  attributes: xml(plain(1_000, () => times(22, (n) => `a${n}="${n}"`))),
  locations: xml(
    plain(1_000, (n) => `country="${n % 2 ? 'gb' : 'us'}" weight="0.${n + 1}"`),
    'chooseby="locatt,country,weighted"',
  ),
  weight: xml(plain(4, () => `weight="${'1'.repeat(60_000)}x"`)),
  'weight-spaces': xml(plain(4, () => `weight="${' '.repeat(60_000)}x"`)),
  chooseby: xml(
    plain(2, () => ''),
    `chooseby="${times(28_000, () => 'country', ',')}"`,
  ),
  'choose-many': xml(
    plain(900, (n) => `weight="${n}"`),
    `chooseby="${times(10_000, () => 'locatt,country', ',')}"`,
  ),
  template: template('{hdl}'.repeat(40_000)),
  ampersands: href('&'.repeat(250_000)),
  entities: href('&lt;'.repeat(60_000)),
  nested: xml(nest(15, '<a>', '', '</a>')),
  doctype: `${DOCTYPE}<locations>${times(900, () => '&a;')}</locations>`,
});

/** The values of other records. The keys are the suffixes of their names. */
const VALUES = (): Readonly<Record<string, readonly unknown[]>> => ({
  values: list(20_000, (n) => text(n + 1, n % 2 ? 'URL' : `T${n}`, url(n))),
  admins: list(5_000, (n) => value(n + 1, 'HS_ADMIN', 'admin', ADMIN)),
  lists: list(100, (n) =>
    text(n + 1, '10320/loc', `<locations>${plain(60, () => 'weight="1"')}</locations>`),
  ),
  'long-text': [text(1, 'NOTE', 'x'.repeat(3_000_000))],
  quotes: [text(1, 'NOTE', '"'.repeat(1_000_000))],
  controls: [text(1, 'NOTE', '\u0001'.repeat(1_000_000))],
  'long-url': [text(1, 'URL', `https://example.org/${'x'.repeat(1_000_000)}`)],
  bytes: [value(1, 'B', 'base64', Buffer.alloc(2_000_000, 65).toString('base64'))],
  hex: [value(1, 'X', 'hex', '41'.repeat(1_500_000))],
  references: [
    value(
      1,
      'HS_VLIST',
      'vlist',
      list(20_000, (n) => ({ handle: '200/1', index: n })),
    ),
  ],
  wide: [value(1, 'W', 'other', Object.fromEntries(list(60_000, (n) => [`k${n}`, n])))],
  deep: [value(1, 'D', 'other', JSON.parse(nest(24, '[', '"x"', ']')))],
  html: [text(1, 'URL', `https://example.org/${'<"&\''.repeat(1_500)}`)],
  aliases: list(5_000, (n) => text(n + 1, 'HS_ALIAS', `10.5555/values-${n}`)),
  self: [text(1, 'HS_ALIAS', '10.5555/self')],
  'loop-a': [text(1, 'HS_ALIAS', '10.5555/loop-b')],
  'loop-b': [text(1, 'HS_ALIAS', '10.5555/loop-a')],
  'long-alias': [text(1, 'HS_ALIAS', `10.5555/${'a'.repeat(200_000)}`)],
  // `10.5555/chain-0` is an alias of `10.5555/chain-1`, and so on.
  ...Object.fromEntries(list(40, (n) => [`chain-${n}`, [text(1, 'HS_ALIAS', `10.5555/chain-${n + 1}`)]])),
});

/** Returns all hostile records as JSON Lines. */
export function hostileFile(): string {
  const locations = Object.entries(LOCATIONS()).map(([name, loc]) => [name, [text(1, '10320/loc', loc)]]);
  const records = [...locations, ...Object.entries(VALUES())];
  return records
    .map(([name, values]) => `${JSON.stringify({ handle: `10.5555/${name}`, values })}\n`)
    .join('');
}
