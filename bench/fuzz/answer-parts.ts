// What the answers of the fuzzer's directory and agency are made of, good and bad.

import fc from 'fast-check';
import { names, weighted, words } from './arbitraries.ts';
import { CANARY } from './canaries.ts';

// Handle values as a directory may send them: valid, odd and broken, 10320/loc among them.

const numbers = fc.constantFrom<unknown>(0, 1, 2, 100, -1, 2 ** 31, 1.5, 1e308, '1', null);
const TTLS = [86_400, 60, 1, 0, -1, 2 ** 31, '2040-01-01T00:00:00Z', '2040-366T24', {}];
const ttls = fc.constantFrom<unknown>(...TTLS);
const TIMES = ['2020-07-29T04:52:30Z', '2020-W05-3T10:00:00,1-02:30', '', 7, undefined];
const times = fc.constantFrom<unknown>(...TIMES);
const types = fc.constantFrom<unknown>(...words('URL URL.PDF HS_ADMIN HS_SITE 10320/loc é'), '', 7, null);
const schemes = words('https://example.org/ http://[::1 ftp://x/ javascript:alert(1)// //evil data:,');

const addresses = fc
  .tuple(fc.constantFrom(...schemes), fc.string({ unit: 'grapheme', maxLength: 12 }))
  .map((parts) => parts.join(''));

const attributes = fc
  .tuple(
    fc.constantFrom(...words('id country weight href href_template http_sc http_role label a:b')),
    fc.oneof(
      fc.constantFrom('0', '1', '-1', '0.5', '1e999', 'NaN', 'gb', 'conneg', '301', '{hdl}', '{hdl:path}'),
      addresses,
    ),
    fc.constantFrom('"', '"', '"', "'", ''),
  )
  .map(([name, value, quote]) => ` ${name}=${quote}${value}${quote}`);

const elements: fc.Arbitrary<string> = weighted(
  [
    8,
    fc
      .tuple(fc.array(attributes, { maxLength: 5 }), fc.constantFrom('/>', '/>', '></location>', '>'))
      .map(([some, end]) => `<location${some.join('')}${end}`),
  ],
  [1, fc.constantFrom(...words('<a> </a> & &amp; &x;'), '<!-- -->', '<![CDATA[x]]>', '<?x y?>', '\u0000')],
);

const CHOOSE_BY = ['', ' chooseby="locatt,country,weighted"', ' choose_by="weighted"', ' chooseby=","'];
const chooseBy = fc.constantFrom(...CHOOSE_BY);
const starts = fc.constantFrom('', '', '<?xml version="1.0"?>', '<!DOCTYPE a [<!ENTITY b "c">]>', '\ufeff');

const locations: fc.Arbitrary<string> = fc
  .tuple(starts, chooseBy, fc.array(elements, { maxLength: 6 }), fc.nat(40))
  .map(([start, by, inner, cut]) => {
    const xml = `${start}<locations${by}>${inner.join('')}</locations>`;
    // One in eight ends early.
    return cut % 8 === 7 ? xml.slice(0, -cut) : xml;
  });

const value = (type: unknown, format: unknown, data: unknown) => ({
  index: 1,
  type,
  data: { format, value: data },
  ttl: 86_400,
  timestamp: '2020-07-29T04:52:30Z',
});

const admin = fc.record(
  {
    handle: fc.oneof(names, fc.constant(7)),
    index: numbers,
    permissions: fc.constantFrom<unknown>('011111111111', '1', '', '2', 7, '1'.repeat(40)),
  },
  { requiredKeys: [] },
);

const known = fc.oneof(
  addresses.map((url) => value('URL', 'string', url)),
  locations.map((xml) => value('10320/loc', 'string', xml)),
  names.map((name) => value('HS_ALIAS', 'string', name)),
  admin.map((data) => value('HS_ADMIN', 'admin', data)),
  fc.array(admin, { maxLength: 3 }).map((data) => value('HS_VLIST', 'vlist', data)),
  fc.constantFrom('AAEC/w==', '!', 'A', '').map((data) => value('URL', 'base64', data)),
  fc.constantFrom('00ff', 'f', 'zz').map((data) => value('BIN', 'hex', data)),
  fc.jsonValue().map((data) => value('HS_SITE', 'site', data)),
);

const odd = fc.record(
  {
    index: numbers,
    type: types,
    data: fc.oneof(
      fc.jsonValue(),
      fc.record({ format: fc.constantFrom('string', 'base64', 'admin', 'key', 7), value: fc.jsonValue() }),
    ),
    ttl: ttls,
    timestamp: times,
    permissions: fc.jsonValue(),
    references: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

export const plainValues: fc.Arbitrary<unknown[]> = fc
  .array(known, { minLength: 1, maxLength: 4 })
  .map((values) => values.map((one, at) => ({ ...one, index: at + 1 })));

export const oddValues: fc.Arbitrary<unknown[]> = fc.array(fc.oneof(known, odd, fc.jsonValue()), {
  maxLength: 4,
});

export interface DirectoryAnswer {
  /** for the summary */
  readonly kind: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly waitMs: number;
  /** how the body ends: after so many bytes the connection is reset; `raw`: the body is all that is sent */
  readonly ending: 'whole' | 'reset' | 'raw';
}

const JSON_TYPE = { 'content-type': 'application/json;charset=utf-8' };
export const TOLD = {
  'content-type': 'text/html',
  server: CANARY,
  'x-trouble': CANARY,
  'set-cookie': `a=${CANARY}`,
};

export type Made = Partial<DirectoryAnswer> & { readonly kind: string };
type MakeBody = (asked: readonly string[]) => unknown;

export const whole = (made: Made): DirectoryAnswer => ({
  status: 200,
  headers: JSON_TYPE,
  body: Buffer.alloc(0),
  waitMs: 0,
  ending: 'whole',
  ...made,
});
const json = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

export const STATUSES = [
  200, 201, 204, 300, 302, 304, 400, 401, 403, 404, 410, 414, 429, 500, 502, 503, 504, 599,
];
const RETRY_AFTER = ['', '1', '-1', '1e9', 'Fri, 13 Nov 2026 00:00:00 GMT', '9'.repeat(40)];

/** Mostly whole answers: ten failures in a row would keep all others from being asked for. */
export const troubles: fc.Arbitrary<Made> = weighted(
  [4, fc.constantFrom(...STATUSES).map((status) => refused(status, '0'))],
  [2, fc.constantFrom(...RETRY_AFTER).map((retryAfter) => refused(503, retryAfter))],
  [3, fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ kind: 'bytes', body: Buffer.from(bytes) }))],
  [1, fc.constant<Made>({ kind: 'huge', body: Buffer.alloc(1_200_000, '[') })],
  [1, fc.constant<Made>({ kind: 'reset', ending: 'reset', body: json({ handle: CANARY }) })],
  [
    1,
    fc
      .constantFrom(
        'HTTP/1.1 200\r\n\r\n',
        `${CANARY}\r\n\r\n`,
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n{',
      )
      .map((text): Made => ({ kind: 'no HTTP', ending: 'raw', body: Buffer.from(text) })),
  ],
);

function refused(status: number, retryAfter: string): Made {
  const body = Buffer.from(`<h1>${CANARY}</h1>`);
  return { kind: 'status', status, headers: { ...TOLD, 'retry-after': retryAfter }, body };
}

export const waits = fc.constantFrom(...Array.from({ length: 20 }, () => 0), 5, 30, 100, 500);

/** Shapes a body, and cuts it now and then. */
export function shaped(bodies: fc.Arbitrary<{ kind: string; status: number; make: MakeBody }>) {
  return fc
    .tuple(bodies, fc.nat(19), fc.nat(60), waits)
    .map(([{ kind, status, make }, chance, cut, waitMs]) => (asked: readonly string[]): DirectoryAnswer => {
      const body = json(make(asked));
      return chance === 0
        ? whole({ kind: 'cut', status, body: body.subarray(0, cut), waitMs })
        : whole({ kind, status, body, waitMs });
    });
}
