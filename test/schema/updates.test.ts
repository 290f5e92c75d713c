// DOI.updates, DOI.relations, and the language of a work. test/works has the rules.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { NOT_REPORTED, type Update } from '../../src/works/retractions-and-updates.ts';
import type { WorkHistory } from '../../src/works/work.ts';
import { createFakeGateway, createLoggedGateway } from './fake-gateway.ts';

const WORK = { type: 'article-journal', title: 'A work' };

const RETRACTION: Update = {
  kind: 'RETRACTION',
  type: 'retraction',
  doi: '10.1000/Notice',
  date: { year: 2021, month: 3, day: 2, text: '2021-03-02' },
  sources: ['publisher', 'retraction-watch'],
  recordIds: ['12345'],
};

const RETRACTED: WorkHistory = {
  updates: {
    outcome: 'RETRACTED',
    notices: [RETRACTION, { ...RETRACTION, doi: 'no DOI' }],
    noticeOf: [{ ...RETRACTION, doi: '10.1000/Work' }],
  },
  relations: [
    {
      kind: 'HAS_PREPRINT',
      type: 'has-preprint',
      identifier: '10.1000/p',
      identifierType: 'doi',
      assertedBy: 'subject',
    },
    { kind: 'OTHER', type: 'x', identifier: 'arXiv:2101.00001', identifierType: 'arXiv', assertedBy: null },
  ],
};

const NONE_RECORDED: WorkHistory = {
  updates: { outcome: 'NONE_RECORDED', notices: [], noticeOf: [] },
  relations: [],
};

const CROSSREF = { status: 'FOUND', agency: 'Crossref' } as const;
const OUTCOME = '{ doi(input: "10.1000/a") { updates { outcome } relations { kind } } }';

describe('updates and relations', () => {
  test('have the notices about the work, the works that the work is a notice of, and the related works', async () => {
    const { query, calls } = await createFakeGateway({
      metadata: { '10.1000/a': WORK },
      histories: { '10.1000/a': RETRACTED },
    });
    const { data, errors } = await query(`{ doi(input: "10.1000/A") {
      updates {
        outcome source fetchedAt stale
        notices { kind type doi { name } date { text } sources recordIds }
        noticeOf { kind type work { name } date { text } sources recordIds }
      }
      relations { kind type doi { name } identifier identifierType assertedBy }
      preprints: relations(kinds: [HAS_PREPRINT, IS_PREPRINT_OF]) { identifier }
      none: relations(kinds: []) { identifier }
    } }`);
    expect(errors).toBeUndefined();
    const [preprint, other] = RETRACTED.relations;
    const { doi: _, ...notice } = { ...RETRACTION, date: { text: '2021-03-02' } };
    expect(data['doi']).toEqual({
      updates: {
        outcome: 'RETRACTED',
        source: 'Crossref',
        fetchedAt: '2026-11-20T12:00:00.000Z',
        stale: false,
        notices: [
          { ...notice, doi: { name: '10.1000/Notice' } },
          { ...notice, doi: null },
        ],
        noticeOf: [{ ...notice, work: { name: '10.1000/Work' } }],
      },
      relations: [
        { ...preprint, doi: { name: '10.1000/p' } },
        { ...other, doi: null },
      ],
      preprints: [{ identifier: '10.1000/p' }],
      none: [],
    });
    expect(calls).toEqual({ resolve: [], whichRa: [], describe: ['csl 10.1000/A'] });
  });

  test('of a name without metadata are null without an error', async () => {
    const { query } = await createFakeGateway({ metadata: {} });
    expect(await query(OUTCOME)).toEqual({ data: { doi: { updates: null, relations: null } } });
  });

  test.each(['Crossref', 'DataCite'])(
    'are METADATA_OFF for %s without its API, never NOT_REPORTED',
    async (agency) => {
      const { query } = await createFakeGateway({
        metadata: { '10.1000/a': WORK },
        agencies: { '10.1000/a': { status: 'FOUND', agency } },
      });
      const { data, errors } = await query(OUTCOME);
      expect(data['doi']).toEqual({ updates: null, relations: null });
      expect(errors).toMatchObject(
        ['updates', 'relations'].map((field) => ({
          path: ['doi', field],
          message: expect.stringMatching(new RegExp(`API of ${agency}.*METADATA_API=yes`)),
          extensions: { code: 'METADATA_OFF', retryable: false },
        })),
      );
    },
  );

  test.each([
    { status: 'FOUND', agency: 'mEDRA' },
    { status: 'UNKNOWN', agency: null },
  ] as const)('of the agency %o are NOT_REPORTED and empty', async (verdict) => {
    const { query } = await createFakeGateway({
      metadata: { '10.1000/a': WORK },
      agencies: { '10.1000/a': verdict },
    });
    const { data, errors } = await query(OUTCOME);
    expect(errors).toBeUndefined();
    expect(data['doi']).toEqual({ updates: { outcome: 'NOT_REPORTED' }, relations: [] });
  });

  test('of one name can fail, at the agency or at Which RA, while another name has its updates', async () => {
    const { query } = await createFakeGateway({
      metadata: { '10.1000/a': WORK, '10.1000/b': new GatewayError('UPSTREAM_TIMEOUT'), '10.1000/c': WORK },
      histories: { '10.1000/a': NONE_RECORDED },
      agencies: { '10.1000/c': new GatewayError('UPSTREAM_UNAVAILABLE') },
    });
    const { data, errors } = await query(
      '{ dois(inputs: ["10.1000/a", "10.1000/b", "10.1000/c"]) { name updates { outcome } } }',
    );
    expect(data['dois']).toEqual([
      { name: '10.1000/a', updates: { outcome: 'NONE_RECORDED' } },
      { name: '10.1000/b', updates: null },
      { name: '10.1000/c', updates: null },
    ]);
    expect(errors?.map(({ path, extensions }) => [path, extensions['code']])).toEqual([
      [['dois', 1, 'updates'], 'UPSTREAM_TIMEOUT'],
      [['dois', 2, 'updates'], 'UPSTREAM_UNAVAILABLE'],
    ]);
  });

  test('of a thousand names fit into one operation, with all fields of the same look-up', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `10.1000/${index}`);
    const { query } = await createFakeGateway({ metadata: {} });
    const { errors } = await query(`{ dois(inputs: ${JSON.stringify(names)}) {
      name bibtex ris
      metadata { title creators { name } issued { text } }
      updates { outcome notices { kind doi { name } date { text } } }
      relations { kind identifier doi { name } }
    } }`);
    expect(errors).toBeUndefined();
  });
});

describe('the language', () => {
  const QUERY = '{ doi(input: "10.1000/a") { metadata { language csl } } }';
  const answers = async (_: string, { kind }: { readonly kind: string }) => (kind === 'csl' ? WORK : 'de');

  test('of a work from the API of Crossref needs its own look-up, and is not in the CSL', async () => {
    const { query, calls } = await createFakeGateway({
      metadata: { '10.1000/a': answers },
      histories: { '10.1000/a': NONE_RECORDED },
    });
    expect(await query(QUERY)).toEqual({ data: { doi: { metadata: { language: 'de', csl: WORK } } } });
    expect(calls.describe).toEqual(['csl 10.1000/a', 'language 10.1000/a']);
  });

  test('needs no look-up if the CSL has a language or comes from content negotiation', async () => {
    const options = { agencies: { '10.1000/a': CROSSREF }, metadata: { '10.1000/a': answers } };
    const negotiated = await createFakeGateway(options);
    expect(await negotiated.query(QUERY)).toMatchObject({ data: { doi: { metadata: { language: null } } } });
    expect(negotiated.calls.describe).toEqual(['csl 10.1000/a']);

    const english = await createFakeGateway({
      metadata: { '10.1000/a': { ...WORK, language: 'en' } },
      histories: { '10.1000/a': { updates: NOT_REPORTED, relations: [] } },
    });
    expect(await english.query(QUERY)).toMatchObject({ data: { doi: { metadata: { language: 'en' } } } });
    expect(english.calls.describe).toEqual(['csl 10.1000/a']);
  });

  test('counts as a look-up of MAX_METADATA, and has an error above this limit', async () => {
    const { gateway } = await createLoggedGateway(
      { metadata: { '10.1000/a': answers }, histories: { '10.1000/a': NONE_RECORDED } },
      { MAX_METADATA: '1' },
    );
    const { data, errors } = await gateway.query(
      '{ doi(input: "10.1000/a") { metadata { title language } } }',
    );
    expect(data['doi']).toEqual({ metadata: { title: 'A work', language: null } });
    expect(errors).toMatchObject([
      { path: ['doi', 'metadata', 'language'], extensions: { code: 'TOO_MANY_LOOKUPS' } },
    ]);
  });
});
