// Rows of the same kind as those of wire.json, made up from the specification, over the same records.

import { describe, expect } from 'vitest';
import { rawRequest } from '../../support/raw-http.ts';
import { testTable } from '../../support/test-table.ts';
import { startChain } from './chain.ts';

const T = '"ttl":86400,"timestamp":"2023-11-14T22:13:20Z"';
const A = `{"index":1,"type":"URL","data":{"format":"string","value":"https://example.org/a"},${T}}`;
const META = `{"index":3,"type":"URL.METADATA","data":{"format":"string","value":"https://example.org/meta"},${T}}`;

const JSON_ROWS: readonly [target: string, status: number, body: string][] = [
  [
    '/API/HANDLES/10.5555/MultiURL?index=%2B1',
    200,
    `{"responseCode":1,"handle":"10.5555/MultiURL","values":[${A}]}`,
  ],
  [
    '/api/handles/10.5555/multiurl?type=url.metadata&index=1',
    200,
    `{"responseCode":1,"handle":"10.5555/multiurl","values":[${A},${META}]}`,
  ],
  [
    '/api/handles/10.5555/multiurl?index=-1',
    200,
    '{"responseCode":200,"values":[],"handle":"10.5555/multiurl"}',
  ],
  [
    '/api/handles/10.5555/multiurl?type=&callback=a.b',
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

describe.each(startChain())('%s', (_, gateway) => {
  testTable(JSON_ROWS)('answers %s with %d', async (target, status, body) => {
    expect(await rawRequest(gateway().url, target)).toMatchObject({ status, body });
  });

  testTable(PAGE_ROWS)('answers %s with %d, %s', async (target, status, location) => {
    const { status: answered, headers } = await rawRequest(gateway().url, target);
    expect([answered, headers['location'] ?? null]).toEqual([status, location]);
    expect(headers['content-type']).toBe('text/html;charset=utf-8');
  });
});
