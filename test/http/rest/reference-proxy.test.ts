// The REST face responds like the reference proxy, and so does a gateway whose directory is a gateway.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { type RawResponse, rawRequest } from '../../support/raw-http.ts';
import { testTable } from '../../support/test-table.ts';

const fixture = (path: string) => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));

interface Row<Expected> {
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: Record<string, string>;
  };
  readonly response: Expected & { readonly status: number };
}

const readRows = <Expected>(file: string) =>
  JSON.parse(readFileSync(fixture(`vectors/${file}`), 'utf8')) as Row<Expected>[];

/** The first gateway reads a file of records. The second gateway has the first gateway as its directory. */
function useGateways(records: string): readonly (readonly [name: string, gateway: () => ListeningGateway])[] {
  let first: ListeningGateway;
  let second: ListeningGateway;
  beforeAll(async () => {
    first = await startGateway({}, { DOI_DIRECTORY_FILE: fixture(records), METADATA: 'no' });
    second = await startGateway({}, { DOI_DIRECTORY_URL: first.url, METADATA: 'no' });
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });
  return [
    ['a gateway', () => first],
    ['a gateway behind a gateway', () => second],
  ];
}

/** Checks every row of a file of vectors on both gateways. A null in a row stands for any value. */
function testVectors<Expected>(
  vectors: string,
  records: string,
  check: (response: RawResponse, expected: Expected) => void,
): void {
  describe.each(useGateways(records))('%s', (_, gateway) => {
    testTable(readRows<Expected>(vectors))(`fulfils ${vectors}`, async ({ request, response: expected }) => {
      const response = await rawRequest(gateway().url, request.target, request);
      expect(response.status).toBe(expected.status);
      check(response, expected);
    });
  });
}

interface WireResponse {
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly responseCode?: number;
}

testVectors<WireResponse>('wire.json', 'wire-directory.jsonl', (response, expected) => {
  for (const [header, value] of Object.entries(expected.headers)) {
    expect(response.headers[header]).toBe(value.replace(/^http:\/\/doi\.org\//, '/'));
  }
  if (expected.body !== null) expect(response.body).toBe(expected.body);
  if (expected.responseCode !== undefined) {
    expect(JSON.parse(response.body)).toMatchObject({ responseCode: expected.responseCode });
  }
});

interface Wire93Response {
  readonly location: string | null;
  readonly contentType: string | null;
  readonly body: string | null;
}

testVectors<Wire93Response>('wire-9.3.json', 'wire-9.3-directory.jsonl', (response, expected) => {
  expect(response.headers['location'] ?? null).toBe(expected.location);
  if (expected.contentType !== null) expect(response.headers['content-type']).toBe(expected.contentType);
  if (expected.body !== null) expect(response.body).toBe(expected.body);
});

interface NegotiatedResponse {
  readonly location: string | null;
  readonly varyAccept: boolean | null;
}

testVectors<NegotiatedResponse>(
  'negotiation.json',
  'negotiation-directory.jsonl',
  ({ headers }, expected) => {
    expect(headers['location'] ?? null).toBe(expected.location);
    if (expected.varyAccept !== null) {
      expect(/\baccept\b/i.test(String(headers['vary'] ?? ''))).toBe(expected.varyAccept);
    }
  },
);

// More rows for the records of wire.json. The expected responses come from the specification.

const TIMES = '"ttl":86400,"timestamp":"2023-11-14T22:13:20Z"';
const A = `{"index":1,"type":"URL","data":{"format":"string","value":"https://example.org/a"},${TIMES}}`;
const META = `{"index":3,"type":"URL.METADATA","data":{"format":"string","value":"https://example.org/meta"},${TIMES}}`;
const MULTIURL = '/api/handles/10.5555/multiurl';

const JSON_ROWS: readonly [target: string, status: number, body: string][] = [
  [
    '/API/HANDLES/10.5555/MultiURL?index=%2B1',
    200,
    `{"responseCode":1,"handle":"10.5555/MultiURL","values":[${A}]}`,
  ],
  [
    `${MULTIURL}?type=url.metadata&index=1`,
    200,
    `{"responseCode":1,"handle":"10.5555/multiurl","values":[${A},${META}]}`,
  ],
  [`${MULTIURL}?index=-1`, 200, '{"responseCode":200,"values":[],"handle":"10.5555/multiurl"}'],
  [
    `${MULTIURL}?type=&callback=a.b`,
    200,
    'a_b({"responseCode":200,"values":[],"handle":"10.5555/multiurl"});',
  ],
  ['/api/handles/10.5555/nope?pretty', 404, '{\n  "responseCode": 100,\n  "handle": "10.5555/nope"\n}'],
  ['/api/handles/abc?pretty=no', 404, '{"responseCode":100,"handle":"abc"}'],
  ['/api/handles/10.99999', 404, '{"responseCode":100,"handle":"10.99999"}'],
  ['/api/handles/10.1000/%E2%80%A8', 404, '{"responseCode":100,"handle":"10.1000/\\u2028"}'],
  [
    '/doiRA/10.1002%2C,',
    200,
    '[\n  {\n    "DOI": "10.1002,",\n    "status": "Invalid DOI"\n  },\n  {\n    "DOI": "",\n    "status": "Invalid DOI"\n  }\n]',
  ],
];

const PAGE_ROWS: readonly [target: string, status: number, location: string | null][] = [
  ['/urn:doi:10.123:456ABC%2Fzyz', 302, 'https://example.org/urn'],
  ['/INFO:doi/10.1000/a%252Fb', 302, 'https://example.org/litpct'],
  ['/10.1000/..%2Fx', 302, 'https://example.org/dots'],
  ['/10.5555/multiurl?type=URL.METADATA', 302, 'https://example.org/meta'],
  ['/10.5555/loc?country=GB', 303, 'https://example.org/uk'],
  ['/10.5555/loc?action=metadata', 303, 'https://example.org/t?d=10.5555%2Floc&p=10.5555/loc'],
  ['/10.5555/loc?type=URL', 302, 'https://example.org/legacy'],
  ['/10.5555/aliasurl?country=gb', 301, '/10.1000/1?country=gb'],
  ['/10.5555/aliasurl?ignore_aliases', 302, 'https://example.org/own'],
  ['/10.5555/emptydata', 200, null],
  ['/10.5555/binaryurl', 200, null],
  ['/10.1000/trail', 404, null],
  ['/10.1000/1?index=', 400, null],
];

describe.each(useGateways('wire-directory.jsonl'))('%s', (_, gateway) => {
  testTable(JSON_ROWS)('responds to %s with %d', async (target, status, body) => {
    expect(await rawRequest(gateway().url, target)).toMatchObject({ status, body });
  });

  testTable(PAGE_ROWS)('responds to %s with %d, %s', async (target, status, location) => {
    const response = await rawRequest(gateway().url, target);
    expect([response.status, response.headers['location'] ?? null]).toEqual([status, location]);
    expect(response.headers['content-type']).toBe('text/html;charset=utf-8');
  });
});
