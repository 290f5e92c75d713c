// Generators of responses, valid and invalid, and of their parts. The fuzzer's directory and agency send these responses.

import fc from 'fast-check';
import { mutated, names, weighted, wordFrom, words } from './arbitraries.ts';
import { CANARY } from './canaries.ts';

// Handle values. A value of the type 10320/loc contains a list of locations in XML.

const addresses = fc
  .tuple(
    wordFrom('https://example.org/ http://[::1 ftp://x/ javascript:alert(1)// //evil data:,'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )
  .map((parts) => parts.join(''));

const attributes = fc
  .tuple(
    wordFrom('id country weight href href_template http_sc http_role label a:b'),
    fc.oneof(wordFrom('0 1 -1 0.5 1e999 NaN gb conneg 301 {hdl} {hdl:path}'), addresses),
    fc.constantFrom('"', '"', '"', "'", ''),
  )
  .map(([name, value, quote]) => ` ${name}=${quote}${value}${quote}`);

const location = fc
  .tuple(fc.array(attributes, { maxLength: 5 }), wordFrom('/> /> ></location> >'))
  .map(([written, end]) => `<location${written.join('')}${end}`);
const OTHER_XML = [...words('<a> </a> & &amp; &x; <![CDATA[x]]>'), ...['<!-- -->', '<?x y?>', '\u0000']];
const elements = weighted([8, location], [1, fc.constantFrom(...OTHER_XML)]);

const CHOOSE_BY = ['', ' chooseby="locatt,country,weighted"', ' choose_by="weighted"', ' chooseby=","'];
const STARTS = ['', '', '<?xml version="1.0"?>', '<!DOCTYPE a [<!ENTITY b "c">]>', '\ufeff'];

const locations: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...STARTS),
    fc.constantFrom(...CHOOSE_BY),
    fc.array(elements, { maxLength: 6 }),
    fc.nat(40),
  )
  .map(([start, by, inner, cut]) => {
    const xml = `${start}<locations${by}>${inner.join('')}</locations>`;
    // About one text in eight is cut off before its end.
    return cut % 8 === 7 ? xml.slice(0, -cut) : xml;
  });

const value = (type: string, format: string, data: unknown) => ({
  index: 1,
  type,
  data: { format, value: data },
  ttl: 86_400,
  timestamp: '2020-07-29T04:52:30Z',
});
const admin = names.map((handle) => ({ handle, index: 200, permissions: '011111111111' }));

const handleValue = fc.oneof(
  addresses.map((url) => value('URL', 'string', url)),
  locations.map((xml) => value('10320/loc', 'string', xml)),
  names.map((name) => value('HS_ALIAS', 'string', name)),
  admin.map((data) => value('HS_ADMIN', 'admin', data)),
  fc.array(admin, { maxLength: 3 }).map((data) => value('HS_VLIST', 'vlist', data)),
  fc.constantFrom('AAEC/w==', '!', 'A', '').map((data) => value('URL', 'base64', data)),
  wordFrom('00ff f zz').map((data) => value('BIN', 'hex', data)),
  fc.jsonValue().map((data) => value('HS_SITE', 'site', data)),
);

export const plainValues: fc.Arbitrary<unknown> = fc
  .array(handleValue, { minLength: 1, maxLength: 4 })
  .map((values) => values.map((one, at) => ({ ...one, index: at + 1 })));
export const oddValues = mutated(plainValues);

export interface DirectoryResponse {
  /** The summary counts responses by this. */
  readonly kind: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly waitMs: number;
  /** `reset`: the server resets the connection after the body. `raw`: the server sends the body alone, without a head. */
  readonly ending: 'whole' | 'reset' | 'raw';
}

/** A response. A missing member has its usual value (withDefaults). */
export type PartialResponse = Partial<DirectoryResponse> & { readonly kind: string };

/** Adds the usual values of all members that are missing. */
export const withDefaults = (partial: PartialResponse): DirectoryResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json;charset=utf-8' },
  body: Buffer.alloc(0),
  waitMs: 0,
  ending: 'whole',
  ...partial,
});

/** Responses that depend on the names in the request. */
export type Responses = fc.Arbitrary<(requested: readonly string[]) => PartialResponse>;

/** Responses that do not depend on the names in the request. */
export const always = (responses: fc.Arbitrary<PartialResponse>): Responses =>
  responses.map((response) => () => response);

export const HTML_HEADERS = {
  'content-type': 'text/html',
  server: CANARY,
  'x-trouble': CANARY,
  'set-cookie': `a=${CANARY}`,
};
const json = (body: unknown): Buffer => Buffer.from(JSON.stringify(body) ?? '');

export const STATUSES = words('200 201 204 300 302 304 400 401 403 404 410 414 429 500 502 503 504 599').map(
  Number,
);
const RETRY_AFTER = ['', '1', '-1', '1e9', 'Fri, 13 Nov 2026 00:00:00 GMT', '9'.repeat(40)];
const INVALID_HTTP = [
  'HTTP/1.1 200\r\n\r\n',
  `${CANARY}\r\n\r\n`,
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n{',
];
const html = (status: number, retryAfter: string): PartialResponse => {
  const body = Buffer.from(`<h1>${CANARY}</h1>`);
  return { kind: 'status', status, headers: { ...HTML_HEADERS, 'retry-after': retryAfter }, body };
};
const invalidHttp = (text: string): PartialResponse => {
  return { kind: 'no HTTP', ending: 'raw', body: Buffer.from(text) };
};

/** Faulty responses. Callers mix them with good ones: after ten failures in a row, the gateway sends no look-ups. */
const faultyResponses: fc.Arbitrary<PartialResponse> = weighted(
  [4, fc.constantFrom(...STATUSES).map((status) => html(status, '0'))],
  [2, fc.constantFrom(...RETRY_AFTER).map((retryAfter) => html(503, retryAfter))],
  [3, fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ kind: 'bytes', body: Buffer.from(bytes) }))],
  [1, fc.constant<PartialResponse>({ kind: 'huge', body: Buffer.alloc(1_200_000, '[') })],
  [1, fc.constant<PartialResponse>({ kind: 'reset', ending: 'reset', body: json({ handle: CANARY }) })],
  [1, fc.constantFrom(...INVALID_HTTP).map(invalidHttp)],
);
export const withFaults = (responses: Responses): Responses =>
  weighted([12, responses], [2, always(faultyResponses)]);

export const waits = fc.constantFrom(...Array.from({ length: 20 }, () => 0), 5, 30, 100, 500);

interface JsonResponse {
  readonly kind: string;
  readonly status?: number;
  /** Returns the body. @param requested the names in the request */
  make(requested: readonly string[]): unknown;
}

/** Responses with a JSON body. In one of twenty responses the body is cut off. */
export const jsonResponses = (responses: fc.Arbitrary<JsonResponse>): Responses =>
  fc
    .tuple(responses, fc.nat(19), fc.nat(60), waits)
    .map(([{ kind, status = 200, make }, chance, cut, waitMs]) => (requested) => {
      const body = json(make(requested));
      const response = { kind, status, body, waitMs };
      return chance === 0 ? { ...response, kind: 'cut', body: body.subarray(0, cut) } : response;
    });
