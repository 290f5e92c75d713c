// The look-ups of one request: each look-up is made once, and no look-up waits for another.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createWhichRaAnswer, type Directory, type WhichRaAnswer } from '../../src/directory/directory.ts';
import { createRecord, type HandleRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { asked, createFakeGateway } from './fake-gateway.ts';

const VALUES = [urlValue('https://example.org/'), urlValue('https://example.org/2', { index: 2 })];
const FOUND = createWhichRaAnswer({ status: 'FOUND', agency: 'Crossref' }, NOW);

/** A door that stays shut until it is opened. */
function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

function recordOf(handle: HandleRecord['handle']): HandleRecord {
  return createRecord({ responseCode: 1, handle, values: decodeValues(VALUES), fetchedAt: NOW });
}

describe('one call of the directory', () => {
  test('serves all selections, aliases and filters of a DOI, in whatever spelling, form and place', async () => {
    const { query, calls } = await createFakeGateway({ records: { '10.1000/ab': VALUES } });
    const result = await query(`
      query {
        doi(input: "10.1000/Ab") {
          exists
          record { status all: values { index } }
          again: record { second: values(indexes: [2]) { text } urls: values(types: ["url"]) { index } }
          ...More
        }
        upper: doi(input: "doi:10.1000/AB") { exists ...More }
        dois(inputs: ["10.1000/ab", "https://doi.org/10.1000/aB", "10.1000/ab"]) { exists }
        parseDoi(input: "urn:doi:10.1000:ab") { doi { exists } }
        doiEquivalence(a: "10.1000/AB", b: "10.1000/ab") { a { doi { exists } } b { doi { exists } } }
        doiEquivalenceClasses(inputs: ["10.1000/ab"]) { classes { doi { exists } } }
      }
      fragment More on DOI { third: record(auth: false, cert: null) { responseCode } }
    `);
    const { doi } = result.data;
    expect(result.errors).toBeUndefined();
    expect(doi).toEqual({
      exists: true,
      record: { status: 'SUCCESS', all: [{ index: 1 }, { index: 2 }] },
      again: { second: [{ text: 'https://example.org/2' }], urls: [{ index: 1 }, { index: 2 }] },
      third: { responseCode: 1 },
    });
    expect(result.data).toMatchObject({
      upper: { exists: true, third: { responseCode: 1 } },
      dois: [{ exists: true }, { exists: true }, { exists: true }],
      parseDoi: { doi: { exists: true } },
      doiEquivalence: { a: { doi: { exists: true } }, b: { doi: { exists: true } } },
      doiEquivalenceClasses: { classes: [{ doi: { exists: true } }] },
    });
    expect(calls).toEqual({ resolve: [asked('10.1000/Ab')], whichRa: [] });
  });

  test('serves one request: the next request looks up again', async () => {
    const { query, calls } = await createFakeGateway({ records: { '10.1000/1': VALUES } });
    await query('{ doi(input: "10.1000/1") { exists } }');
    await query('{ doi(input: "10.1000/1") { exists } }');
    expect(calls.resolve).toEqual([asked('10.1000/1'), asked('10.1000/1')]);
  });

  test('is not made for fields that are not selected', async () => {
    const { query, calls } = await createFakeGateway();
    const { errors } = await query(
      `query ($no: Boolean!) {
        doi(input: "10.1000/1") { id url warnings { code } exists @include(if: $no) record @include(if: $no) { status } }
      }`,
      { no: false },
    );
    expect(errors).toBeUndefined();
    expect(calls).toEqual({ resolve: [], whichRa: [] });
  });

  test('that fails is not repeated for the other fields that wait for it', async () => {
    const { query, calls } = await createFakeGateway({ records: { '10.1000/1': new Error('gone') } });
    const { errors } = await query(
      '{ dois(inputs: ["10.1000/1", "doi:10.1000/1"]) { exists record { status } again: record { handle } } }',
    );
    expect(errors).toHaveLength(6);
    expect(calls.resolve).toEqual([asked('10.1000/1')]);
  });

  test('does not stand for names that are only nearly the same', async () => {
    const { query, calls } = await createFakeGateway();
    const inputs = [
      '10.1000/k',
      '10.1000/\u212a',
      '10.1000/k/',
      '10.1000/\u00e9',
      '10.1000/e\u0301',
      '10.1000/\u00c9',
    ];
    await query('query ($inputs: [String!]!) { dois(inputs: $inputs, form: NAME) { exists } }', { inputs });
    expect(calls.resolve).toEqual(inputs.map((name) => asked(name)));
  });
});

describe('auth and cert', () => {
  test('are looked up again, each combination once, besides the look-up without them', async () => {
    const { query, calls } = await createFakeGateway({ records: { '10.1000/a': VALUES } });
    const result = await query(`{
      doi(input: "10.1000/a") {
        exists
        plain: record(auth: false) { status }
        auth: record(auth: true) { status }
        authAgain: record(auth: true, cert: false) { handle }
        cert: record(cert: true) { status }
        both: record(auth: true, cert: true) { status }
        bothAgain: record(cert: true, auth: true) { handle }
      }
      upper: doi(input: "10.1000/A") { record(auth: true) { handle } cert: record(cert: true) { handle } }
    }`);
    expect(result).toEqual({
      data: {
        doi: {
          exists: true,
          plain: { status: 'SUCCESS' },
          auth: { status: 'SUCCESS' },
          authAgain: { handle: '10.1000/a' },
          cert: { status: 'SUCCESS' },
          both: { status: 'SUCCESS' },
          bothAgain: { handle: '10.1000/a' },
        },
        upper: { record: { handle: '10.1000/A' }, cert: { handle: '10.1000/A' } },
      },
    });
    expect(calls.resolve).toHaveLength(4);
    expect(calls.resolve).toEqual(
      expect.arrayContaining([
        asked('10.1000/a'),
        asked('10.1000/a', { auth: true }),
        asked('10.1000/a', { cert: true }),
        asked('10.1000/a', { auth: true, cert: true }),
      ]),
    );
  });

  test('fail by themselves', async () => {
    const { query } = await createFakeGateway({
      records: {
        '10.1000/a': async (name, { auth }) => {
          if (auth) throw new Error('no authority');
          return recordOf(name);
        },
      },
    });
    const { data, errors } = await query(
      '{ doi(input: "10.1000/a") { record { status } auth: record(auth: true) { status } } }',
    );
    expect(data).toEqual({ doi: { record: { status: 'SUCCESS' }, auth: null } });
    expect(errors).toMatchObject([{ path: ['doi', 'auth'] }]);
  });
});

describe('Which RA', () => {
  test('is one call a tick for all names of a request, each name once', async () => {
    const { query, calls } = await createFakeGateway({ agencies: { '10.1000/a': FOUND } });
    const { errors } = await query(`{
      dois(inputs: ["10.1000/a", "10.1000/b", "10.1000/A"]) { whichRa { status } registrationAgency { name } }
      doi(input: "doi:10.1000/c") { registrationAgency { name } record { status } }
      parseDois(inputs: ["10.1000/B", "10.1000/d"]) { doi { whichRa { status } } }
      doiEquivalence(a: "10.1000/e", b: "10.1000/E") { a { doi { whichRa { status } } } }
    }`);
    expect(errors).toBeUndefined();
    expect(calls).toEqual({
      resolve: [asked('10.1000/c')],
      whichRa: [['10.1000/a', '10.1000/b', '10.1000/c', '10.1000/d', '10.1000/e']],
    });
  });
});

describe('each spelling', () => {
  test('keeps its own name, id and record.handle, and shares everything else', async () => {
    const { query, calls } = await createFakeGateway({
      records: { '10.1000/abc': VALUES },
      agencies: { '10.1000/abc': FOUND },
    });
    const spellings = ['10.1000/aBc', '10.1000/ABC', '10.1000/abc', '10.1000/ABC'];
    const result = await query(
      `query ($inputs: [String!]!) { dois(inputs: $inputs) {
        id name canonicalName exists record { handle status values { text } } fresh: record(auth: true) { handle }
        registrationAgency { name }
      } }`,
      { inputs: spellings },
    );
    expect(result).toEqual({
      data: {
        dois: spellings.map((name) => ({
          id: `doi:${name}`,
          name,
          canonicalName: '10.1000/abc',
          exists: true,
          record: {
            handle: name,
            status: 'SUCCESS',
            values: [{ text: 'https://example.org/' }, { text: 'https://example.org/2' }],
          },
          fresh: { handle: name },
          registrationAgency: { name: 'Crossref' },
        })),
      },
    });
    expect(calls).toEqual({
      resolve: [asked('10.1000/aBc'), asked('10.1000/aBc', { auth: true })],
      whichRa: [['10.1000/aBc']],
    });
  });
});

describe('a slow name', () => {
  test('does not hold back the look-ups of others', async () => {
    const gate = createGate();
    const names = Array.from({ length: 20 }, (_, index) => `10.1000/${index}`);
    const { query, calls } = await createFakeGateway({
      records: {
        '10.1000/0': async (name) => {
          await gate.opened;
          return recordOf(name);
        },
        // The last one lets the first one go: were they asked one after another, both would wait for ever.
        '10.1000/19': async (name) => {
          gate.open();
          return recordOf(name);
        },
      },
    });
    const { data } = await query<{ dois: { exists: boolean }[] }>(
      'query ($inputs: [String!]!) { dois(inputs: $inputs) { exists } }',
      { inputs: names },
    );
    expect(data.dois.map(({ exists }) => exists)).toEqual(
      names.map((_, index) => index === 0 || index === 19),
    );
    expect(calls.resolve).toEqual(names.map((name) => asked(name)));
  });

  test('does not hold back what is made of the answers of others', async () => {
    const gate = createGate();
    const { query, calls } = await createFakeGateway({
      records: {
        '10.1000/slow': async (name) => {
          await gate.opened;
          return recordOf(name);
        },
        // The slow one is let go by whoever reads the status of this record, which is long after it was asked for.
        '10.1000/fast': async (name) => ({
          ...recordOf(name),
          get status() {
            gate.open();
            return 'SUCCESS' as const;
          },
        }),
      },
    });
    const result = await query(
      '{ dois(inputs: ["10.1000/slow", "10.1000/fast"]) { record { handle status } } }',
    );
    expect(result).toEqual({
      data: {
        dois: [
          { record: { handle: '10.1000/slow', status: 'SUCCESS' } },
          { record: { handle: '10.1000/fast', status: 'SUCCESS' } },
        ],
      },
    });
    expect(calls.resolve).toEqual([asked('10.1000/slow'), asked('10.1000/fast')]);
  });

  test('at Which RA holds back neither the agencies of others nor any record', async () => {
    const gate = createGate();
    const fake = createFakeDirectory({ records: { '10.1000/slow': VALUES } });
    // The slow one is let go by whoever reads the status of the other answer.
    const answers: Readonly<Record<string, () => Promise<WhichRaAnswer>>> = {
      '10.1000/slow': async () => {
        await gate.opened;
        return FOUND;
      },
      '10.1000/fast': async () => ({
        ...FOUND,
        agency: null,
        get status() {
          gate.open();
          return 'UNKNOWN' as const;
        },
      }),
    };
    const directory: Directory = {
      ...fake,
      whichRa(names) {
        fake.calls.whichRa.push(names);
        return names.map((name) => answers[name]?.() ?? Promise.reject(new Error(`no answer for ${name}`)));
      },
    };
    const gateway = await createTestGateway({ directory });
    onTestFinished(gateway.close);
    const result = await gateway.query(
      '{ dois(inputs: ["10.1000/slow", "10.1000/fast"]) { exists whichRa { status } } }',
    );
    expect(result).toEqual({
      data: {
        dois: [
          { exists: true, whichRa: { status: 'FOUND' } },
          { exists: false, whichRa: { status: 'UNKNOWN' } },
        ],
      },
    });
    expect(fake.calls).toEqual({
      resolve: [asked('10.1000/slow'), asked('10.1000/fast')],
      whichRa: [['10.1000/slow', '10.1000/fast']],
    });
  });

  test('does not change the order of fields in the response: it is that of the query', async () => {
    const gate = createGate();
    const { app } = await createFakeGateway({
      records: {
        '10.1000/slow': async (name) => {
          await gate.opened;
          return recordOf(name);
        },
        '10.1000/fast': async (name) => {
          gate.open();
          return recordOf(name);
        },
      },
    });
    const query =
      '{ a: doi(input: "10.1000/slow") { exists record { status } id } b: doi(input: "10.1000/fast") { exists id } }';
    const response = await app.fetch(
      new Request(`http://gateway.test/graphql?query=${encodeURIComponent(query)}`),
    );
    expect(await response.text()).toBe(
      '{"data":{"a":{"exists":true,"record":{"status":"SUCCESS"},"id":"doi:10.1000/slow"},"b":{"exists":true,"id":"doi:10.1000/fast"}}}',
    );
  });
});
