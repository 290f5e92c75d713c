// DOI.metadata, citation, bibtex and ris.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { NOT_REPORTED } from '../../src/works/retractions-and-updates.ts';
import { createFakeGateway, createLoggedGateway } from './fake-gateway.ts';

const WORK = {
  type: 'article-journal',
  title: 'On <i>H</i><sub>2</sub>O &amp; <script>alert(1)</script>more',
  author: [
    { given: 'Josiah', family: 'Carberry', ORCID: 'https://orcid.org/0000-0002-1825-0097' },
    { literal: 'The Consortium' },
  ],
  issued: { 'date-parts': [[2020, 7]] },
  'container-title': 'Journal',
  publisher: 'Press',
  volume: 1,
  issue: '2',
  page: '3-4',
  language: 'en',
};

describe('metadata', () => {
  test('describes the work of a name', async () => {
    const { query, calls } = await createFakeGateway({ metadata: { '10.1000/a': WORK } });
    const { data, errors } = await query(`{ doi(input: "10.1000/A") { metadata {
      title titleHtml creators { name given family orcid } issued { year month day text } containerTitle publisher
      type volume issue page language source csl fetchedAt stale
    } } }`);
    expect(errors).toBeUndefined();
    expect(data['doi']).toEqual({
      metadata: {
        title: 'On H2O & more',
        titleHtml: 'On <i>H</i><sub>2</sub>O &amp; more',
        creators: [
          { name: 'Josiah Carberry', given: 'Josiah', family: 'Carberry', orcid: '0000-0002-1825-0097' },
          { name: 'The Consortium', given: null, family: null, orcid: null },
        ],
        issued: { year: 2020, month: 7, day: null, text: '2020-07' },
        containerTitle: 'Journal',
        publisher: 'Press',
        type: 'article-journal',
        volume: '1',
        issue: '2',
        page: '3-4',
        language: 'en',
        source: 'Crossref',
        csl: WORK,
        fetchedAt: '2026-11-20T12:00:00.000Z',
        stale: false,
      },
    });
    expect(calls.describe).toEqual(['csl 10.1000/A']);
  });

  test('is null without an error for a name without metadata', async () => {
    const { query } = await createFakeGateway({ metadata: {} });
    const result = await query('{ doi(input: "10.1000/a") { metadata { title } citation bibtex ris } }');
    expect(result).toEqual({ data: { doi: { metadata: null, citation: null, bibtex: null, ris: null } } });
  });

  test('needs one look-up for each name and format', async () => {
    const { query, calls } = await createFakeGateway({
      metadata: { '10.1000/a': async (_, { kind }) => kind },
    });
    const { data } = await query(`{ dois(inputs: ["10.1000/a", "10.1000/A", "10.1000/b"]) {
      citation again: citation(style: "apa") ieee: citation(style: "ieee", locale: "de-DE")
    } }`);
    const found = { citation: 'citation', again: 'citation', ieee: 'citation' };
    const absent = { citation: null, again: null, ieee: null };
    expect(data['dois']).toEqual([found, found, absent]);
    expect(calls.describe?.toSorted()).toEqual(
      ['citation apa en-US', 'citation ieee de-DE']
        .flatMap((format) => [`${format} 10.1000/a`, `${format} 10.1000/b`])
        .toSorted(),
    );
    expect([calls.resolve, calls.whichRa]).toEqual([[], []]);
  });

  test('shares one look-up with bibtex, ris, updates and relations, and this look-up counts once', async () => {
    const { gateway, calls } = await createLoggedGateway(
      {
        metadata: { '10.1000/a': WORK },
        histories: { '10.1000/a': { updates: NOT_REPORTED, relations: [] } },
      },
      { MAX_METADATA: '1' },
    );
    const { data, errors } = await gateway.query(
      '{ doi(input: "10.1000/a") { bibtex updates { outcome } ris relations { kind } metadata { title } } again: doi(input: "10.1000/A") { bibtex } }',
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      doi: {
        bibtex: expect.stringMatching(
          /^@article\{carberry2020h2o-[0-9a-f]{8},\n {2}title = \{On \\textit\{\{H\}\}/,
        ),
        ris: expect.stringMatching(/^TY {2}- JOUR\nAU {2}- Carberry, Josiah\n/),
        metadata: { title: 'On H2O & more' },
        updates: { outcome: 'NOT_REPORTED' },
        relations: [],
      },
      again: { bibtex: expect.stringContaining('  doi = {10.1000/A},\n') },
    });
    expect(calls.describe).toEqual(['csl 10.1000/a']);
  });

  test('of one name can fail while another name has its metadata', async () => {
    const { query } = await createFakeGateway({
      metadata: { '10.1000/a': WORK, '10.1000/b': new GatewayError('UPSTREAM_RATE_LIMITED') },
    });
    const { data, errors } = await query(
      '{ dois(inputs: ["10.1000/a", "10.1000/b"]) { name metadata { publisher } } }',
    );
    expect(data['dois']).toEqual([
      { name: '10.1000/a', metadata: { publisher: 'Press' } },
      { name: '10.1000/b', metadata: null },
    ]);
    expect(errors).toMatchObject([
      { path: ['dois', 1, 'metadata'], extensions: { code: 'UPSTREAM_RATE_LIMITED', retryable: true } },
    ]);
  });

  test.each([
    ['style', '(style: "no-such-style")', /"no-such-style" is not a known style/],
    ['locale', '(locale: "xx-XX")', /"xx-XX" is not a known locale/],
  ])('with an unknown %s is BAD_USER_INPUT without a look-up', async (_, args, message) => {
    const { query, calls } = await createFakeGateway({ metadata: {} });
    const { data, errors } = await query(`{ doi(input: "10.1000/a") { name citation${args} } }`);
    expect(data['doi']).toEqual({ name: '10.1000/a', citation: null });
    expect(errors?.[0]).toMatchObject({ path: ['doi', 'citation'], extensions: { code: 'BAD_USER_INPUT' } });
    expect(errors?.[0]?.message).toMatch(message);
    expect(calls.describe).toEqual([]);
  });

  test('that is off has an error with the setting that turns it on', async () => {
    const { query } = await createFakeGateway();
    const { errors } = await query('{ doi(input: "10.1000/a") { metadata { title } } }');
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'METADATA_OFF', retryable: false } });
    expect(errors?.[0]?.message).toContain('METADATA=yes');
  });

  test('has at most MAX_METADATA look-ups in an operation', async () => {
    const { gateway, calls } = await createLoggedGateway(
      { metadata: { '10.1000/1': WORK } },
      { MAX_METADATA: '3' },
    );
    const { errors } = await gateway.query(
      '{ dois(inputs: ["10.1000/1", "10.1000/2", "10.1000/3", "10.1000/4", "10.1000/1"]) { metadata { title } } }',
    );
    expect(errors).toMatchObject([
      { path: ['dois', 3, 'metadata'], extensions: { code: 'TOO_MANY_LOOKUPS' } },
    ]);
    expect(errors?.[0]?.message).toContain('3 look-ups of metadata');
    expect(calls.describe).toHaveLength(3);
  });

  test('of many megabytes has LIMIT_EXCEEDED at the path of each name above the limit', async () => {
    const long = { title: 'T', abstract: 'a'.repeat(900_000) };
    const names = Array.from({ length: 20 }, (_, i) => `10.1000/${i}`);
    const { query } = await createFakeGateway({
      metadata: Object.fromEntries(names.map((name) => [name, long])),
    });
    const { errors } = await query(`{ dois(inputs: ${JSON.stringify(names)}) { metadata { title } } }`);
    expect(new Set(errors?.map(({ extensions }) => extensions['code']))).toEqual(new Set(['LIMIT_EXCEEDED']));
  });
});
