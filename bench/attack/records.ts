// Hostile records, for the embedded directory and for the directory process. Every one is legal.

import { list, times } from './requests.ts';

export interface HostileRecord {
  readonly handle: string;
  readonly values: readonly unknown[];
}

const TIMES = { ttl: 86_400, timestamp: '2020-07-29T04:52:30Z' };

function value(index: number, type: string, format: string, data: unknown): unknown {
  return { index, type, data: { format, value: data }, ...TIMES };
}

const text = (index: number, type: string, data: string): unknown => value(index, type, 'string', data);
const record = (name: string, ...values: unknown[]): HostileRecord => ({ handle: `10.5555/${name}`, values });
const url = (n: number): string => `https://example.org/${n}`;

function locations(name: string, attributes: string, inner: string): HostileRecord {
  return record(name, text(1, '10320/loc', `<locations ${attributes}>${inner}</locations>`));
}

const plain = (count: number, attributes: (n: number) => string): string =>
  times(count, (n) => `<location id="${n}" href="${url(n)}" ${attributes(n)}/>`, '');

/** `10.5555/chain-0` is an alias of `10.5555/chain-1`, and so on. */
const chain = (length: number): HostileRecord[] =>
  list(length, (n) => record(`chain-${n}`, text(1, 'HS_ALIAS', `10.5555/chain-${n + 1}`)));

export const hostileRecords = (): HostileRecord[] => [
  record('values', ...list(20_000, (n) => text(n + 1, n % 2 ? 'URL' : `T${n}`, url(n)))),
  record(
    'admins',
    ...list(5_000, (n) =>
      value(n + 1, 'HS_ADMIN', 'admin', { handle: '0.NA/10.5555', index: 200, permissions: '011111111111' }),
    ),
  ),
  locations(
    'attributes',
    '',
    plain(1_000, () => times(22, (n) => `a${n}="${n}"`)),
  ),
  locations(
    'locations',
    'chooseby="locatt,country,weighted"',
    plain(1_000, (n) => `country="${n % 2 ? 'gb' : 'us'}" weight="0.${n + 1}"`),
  ),
  locations(
    'weight',
    '',
    plain(4, () => `weight="${'1'.repeat(60_000)}x"`),
  ),
  locations(
    'weight-spaces',
    '',
    plain(4, () => `weight="${' '.repeat(60_000)}x"`),
  ),
  locations(
    'chooseby',
    `chooseby="${times(28_000, () => 'country', ',')}"`,
    plain(2, () => ''),
  ),
  locations(
    'choose-many',
    `chooseby="${times(10_000, () => 'locatt,country', ',')}"`,
    plain(900, (n) => `weight="${n}"`),
  ),
  locations('template', '', `<location href_template="${url(0)}${'{hdl}'.repeat(40_000)}"/>`),
  locations('ampersands', '', `<location href="${url(0)}?${'&'.repeat(250_000)}"/>`),
  locations('entities', '', `<location href="${url(0)}?${'&lt;'.repeat(60_000)}"/>`),
  locations('nested', '', `${'<a>'.repeat(15)}${'</a>'.repeat(15)}`),
  record(
    'doctype',
    text(
      1,
      '10320/loc',
      `<!DOCTYPE l [<!ENTITY a "${'x'.repeat(1_000)}">]><locations>${times(900, () => '&a;')}</locations>`,
    ),
  ),
  record(
    'lists',
    ...list(100, (n) => text(n + 1, '10320/loc', `<locations>${plain(60, () => 'weight="1"')}</locations>`)),
  ),
  record('long-text', text(1, 'NOTE', 'x'.repeat(3_000_000))),
  record('quotes', text(1, 'NOTE', '"'.repeat(1_000_000))),
  record('controls', text(1, 'NOTE', '\u0001'.repeat(1_000_000))),
  record('long-url', text(1, 'URL', `https://example.org/${'x'.repeat(1_000_000)}`)),
  record('bytes', value(1, 'B', 'base64', Buffer.alloc(2_000_000, 65).toString('base64'))),
  record('hex', value(1, 'X', 'hex', '41'.repeat(1_500_000))),
  record(
    'references',
    value(
      1,
      'HS_VLIST',
      'vlist',
      list(20_000, (n) => ({ handle: '200/1', index: n })),
    ),
  ),
  record('wide', value(1, 'W', 'other', Object.fromEntries(list(60_000, (n) => [`k${n}`, n])))),
  record('deep', value(1, 'D', 'other', nestedList(24))),
  record('html', text(1, 'URL', `https://example.org/${'<"&\''.repeat(1_500)}`)),
  record('aliases', ...list(5_000, (n) => text(n + 1, 'HS_ALIAS', `10.5555/values-${n}`))),
  record('self', text(1, 'HS_ALIAS', '10.5555/self')),
  record('loop-a', text(1, 'HS_ALIAS', '10.5555/loop-b')),
  record('loop-b', text(1, 'HS_ALIAS', '10.5555/loop-a')),
  record('long-alias', text(1, 'HS_ALIAS', `10.5555/${'a'.repeat(200_000)}`)),
  ...chain(40),
];

function nestedList(depth: number): unknown {
  let nested: unknown = 'x';
  for (let level = 0; level < depth; level += 1) nested = [nested];
  return nested;
}

/** JSON Lines. */
export const hostileFile = (): string =>
  hostileRecords()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
