// GET /{name} for programs that accept metadata in a format of the gateway.

import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { createFakeDirectory, NOW } from '../../support/fake-directory.ts';
import { startGateway } from '../../support/gateway.ts';
import { responseOf } from '../../support/http-request.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { testTable } from '../../support/test-table.ts';
import { createFace } from './face-under-test.ts';
import {
  aliasTo,
  locations,
  type RestOptions,
  startRest,
  statusAndLocation,
  url,
  value,
} from './rest-gateway.ts';

const PAGE = 'https://example.org/page';
const DATA = 'https://data.example/';
const CSL_TYPE = 'application/vnd.citationstyles.csl+json';
const WORK = {
  type: 'article-journal',
  title: 'On names',
  author: [{ family: 'Ito', given: 'A' }],
  issued: { 'date-parts': [[2020]] },
};
const CONNEG = locations(`<location weight="0" http_role="conneg" href="${DATA}"/>`);
const RECORDS: RestOptions['records'] = {
  '10.1000/work': [value('URL', PAGE), CONNEG],
  '10.1000/none': [value('URL', PAGE), CONNEG],
  '10.1000/fails': [value('URL', PAGE), CONNEG],
  '10.1000/hangs': [value('URL', PAGE), CONNEG],
  '10.1000/alias': aliasTo('10.1000/work'),
  '10.1000/loop': aliasTo('10.1000/loop'),
  '10.1000/nowhere': aliasTo('10.1000/missing'),
  '10.1000/error': 2,
  '2381/handle': url(PAGE),
};
const METADATA: NonNullable<RestOptions['metadata']> = {
  '10.1000/work': (_, { kind }) => Promise.resolve(kind === 'csl' ? WORK : 'Ito, A. (2020).'),
  '10.1000/fails': new GatewayError('UPSTREAM_UNAVAILABLE'),
  '10.1000/hangs': () => new Promise(() => {}),
};
const start = (options: RestOptions = {}) => startRest({ records: RECORDS, metadata: METADATA, ...options });

describe('formats of metadata', () => {
  testTable<[string, string, RegExp]>([
    [CSL_TYPE, CSL_TYPE, /^\{"type":"article-journal"/],
    ['application/citeproc+json', 'application/citeproc+json', /^\{"type"/],
    ['application/json', 'application/json', /^\{"type"/],
    ['application/x-bibtex', 'application/x-bibtex; charset=utf-8', /^@article\{.*On names/s],
    ['application/x-bibtex; charset=utf-8', 'application/x-bibtex; charset=utf-8', /^@article/],
    ['text/x-bibliography; style=bibtex', 'text/x-bibliography; charset=utf-8', /^@article/],
    [
      'application/x-research-info-systems',
      'application/x-research-info-systems; charset=utf-8',
      /^TY {2}- JOUR/,
    ],
    ['text/x-bibliography', 'text/x-bibliography; charset=utf-8', /^Ito, A\. \(2020\)\.\n$/],
    ['text/x-bibliography; style = apa; locale = en-US', 'text/x-bibliography; charset=utf-8', /^Ito/],
    ['text/bibliography;style=ieee;locale=de-DE', 'text/bibliography; charset=utf-8', /^Ito/],
    [
      `application/vnd.datacite.datacite+json, application/vnd.crossref.unixref+xml, ${CSL_TYPE}`,
      CSL_TYPE,
      /^\{/,
    ],
    [`application/x-bibtex;q=0.5, ${CSL_TYPE}`, CSL_TYPE, /^\{/],
    [`application/x-bibtex, */*;q=0.1`, 'application/x-bibtex; charset=utf-8', /^@/],
  ])('the gateway writes the format of Accept: %s', async (accept, type, body) => {
    const { get } = await start();
    const response = await get('/10.1000/work', { Accept: accept });
    expect([response.status, response.headers['content-type']]).toEqual([200, type]);
    expect(response.body).toMatch(body);
    expect(response.headers).toMatchObject({
      vary: expect.stringMatching(/\bAccept\b/),
      link: '<https://doi.org/10.1000/work>; rel="canonical"',
      'cache-control': expect.stringMatching(/^public, max-age=\d+$/),
      etag: expect.stringMatching(/^W\/".+"$/),
    });
  });

  testTable([
    'text/turtle',
    'application/vnd.crossref.unixref+xml',
    `text/turtle, ${CSL_TYPE};q=0.9`,
    'text/x-bibliography; style=no-such-style',
    'text/x-bibliography; style=apa; locale=xx-XX',
  ])('a request for a format that the gateway does not write is redirected: %s', async (accept) => {
    const { get } = await start();
    expect(statusAndLocation(await get('/10.1000/work', { Accept: accept }))).toEqual([302, DATA]);
  });
});

describe('a browser', () => {
  test('is redirected, with links to the metadata', async () => {
    const { get, calls } = await start({ env: { PUBLIC_URL: 'https://gateway.example' } });
    const response = await get('/10.1000/work', { Accept: 'text/html' });
    expect(statusAndLocation(response)).toEqual([302, PAGE]);
    expect(response.headers['link']).toContain(
      '<https://gateway.example/10.1000/work>; rel="describedby"; type="application/x-bibtex"',
    );
    expect(response.headers['vary']).toContain('Accept');
    expect(calls.describe).toEqual([]);
  });
});

describe('a program that accepts metadata', () => {
  const bibtex = { Accept: 'application/x-bibtex' };

  testTable<[string, number, string | null]>([
    ['/10.1000/alias', 301, '/10.1000/work'],
    ['/10.1000/none', 204, null],
    ['/10.1000/missing', 404, null],
    ['/10.1000/loop', 404, null],
    ['/10.1000/nowhere', 404, null],
    ['/10.1000/work?index=x', 400, null],
    ['/10.1000/error', 503, null],
    ['/10.1000/fails', 302, DATA],
    ['/2381/handle', 302, PAGE],
    ['/10.1000/work?action=metadata', 302, DATA],
    ['/10.1000/work?noredirect', 200, null],
    ['/10.1000/work?locatt=id:1', 302, DATA],
    ['/10.1000/work?type=URL', 302, PAGE],
    ['/10.1000/work?index=1', 302, PAGE],
    ['/10.1000/work?urlappend=x', 302, `${DATA}x`],
    ['/10.1000/work?auth', 302, DATA],
    ['/10.1000/work?cert', 302, DATA],
    ['/10.1000/work?other=1', 200, null],
  ])('gets for %s the status %d and the location %s', async (target, status, location) => {
    const { get } = await start();
    const response = await get(target, bibtex);
    expect(statusAndLocation(response)).toEqual([status, location]);
    expect(response.headers['vary']).toContain('Accept');
    if (status === 204 || status === 404) expect(response.body).toBe('');
  });

  test('gets 304 for a fresh copy, and the ETag without a body for HEAD', async () => {
    const { get, send } = await start();
    const first = await get('/10.1000/work', bibtex);
    const again = await get('/10.1000/work', { ...bibtex, 'If-None-Match': String(first.headers['etag']) });
    expect([again.status, again.body]).toEqual([304, '']);
    expect(again.headers['vary']).toContain('Accept');
    const head = await send('HEAD', '/10.1000/work', bibtex);
    expect([head.status, head.headers['etag'], head.body]).toEqual([200, first.headers['etag'], '']);
  });

  test('is redirected at once while the service is busy', async () => {
    const { get, calls } = await start({ busyServices: [DATA] });
    const response = await get('/10.1000/work', bibtex);
    expect(statusAndLocation(response)).toEqual([302, DATA]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(calls.describe).toEqual([]);
  });

  test('gets a large entry whole, also while other programs get the entry', async () => {
    const author = Array.from({ length: 5_000 }, (_, n) => ({ family: `Family${n}`, given: 'Given' }));
    const { get } = await start({ metadata: { '10.1000/work': { ...WORK, author } } });
    const all = await Promise.all(Array.from({ length: 5 }, () => get('/10.1000/work', bibtex)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(all.map(({ body }) => body)).size).toBe(1);
    expect(all[0]?.body).toContain('Family4999, Given');
  });

  test('is redirected if metadata is off', async () => {
    const { get } = await startRest({ records: RECORDS });
    expect(statusAndLocation(await get('/10.1000/work', bibtex))).toEqual([302, DATA]);
  });
});

describe('an agency that does not respond', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('delays the response by three seconds, and then the gateway redirects the program to the agency', async () => {
    const face = createFace(createFakeDirectory({ now: NOW, records: RECORDS ?? {}, metadata: METADATA }));
    let ended = false;
    const response = Promise.resolve(
      responseOf(face, '/10.1000/hangs', { headers: { accept: 'application/x-bibtex' } }),
    ).finally(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(2_999);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await response).toMatchObject({
      status: 302,
      headers: { Location: DATA, 'Cache-Control': 'no-store' },
    });
  });
});

describe('the sample directory', () => {
  const APPLICATION = { Accept: 'application/vnd.crossref.unixref+xml' };

  test('redirects to the services of Crossref and DataCite, but the gateway writes BibTeX', async () => {
    const gateway = await startGateway({});
    onTestFinished(gateway.close);
    const get = (target: string, headers: Readonly<Record<string, string>>) =>
      rawRequest(gateway.url, target, { method: 'GET', headers });
    expect(statusAndLocation(await get('/10.1371/journal.pone.0000030', APPLICATION))).toEqual([
      302,
      'https://data.crossref.org/10.1371%2Fjournal.pone.0000030',
    ]);
    expect(statusAndLocation(await get('/10.5438/bc11-cqw1', APPLICATION))).toEqual([
      302,
      'https://data.crosscite.org/10.5438%2Fbc11-cqw1',
    ]);
    expect(await get('/10.5438/bc11-cqw1', { Accept: 'application/x-bibtex' })).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^@\w+\{/),
    });
  });
});
