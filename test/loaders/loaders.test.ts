// One request makes each look-up once. Each caller gets its answer as soon as the directory sends it.

import { canonicalName, type HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { createWhichRaAnswer, type Directory, type ResolveOptions } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { CSL, LANGUAGE, type MetadataFormat } from '../../src/works/metadata-format.ts';
import { keptForever, memoryWith } from '../support/directory-memory.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory, type FakeDirectoryOptions, NOW, urlValue } from '../support/fake-directory.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import { createMemoryDirectory } from '../support/memory-directory.ts';
import { requesterAt } from '../upstream/clients.ts';

const VALUES = [urlValue('https://example.org/')];
const NAME = doiName('10.1000/a');

const loadersOver = (directory: Directory, signal = new AbortController().signal) =>
  new TrackingLoaders({ directory, signal: () => signal, maxLookups: 2_000 });

function setUp(options: FakeDirectoryOptions = {}) {
  const directory = createFakeDirectory(options);
  return { loaders: loadersOver(directory), calls: directory.calls };
}

const CROSSREF = createWhichRaAnswer({ status: 'FOUND', agency: 'Crossref' }, NOW);
const UNKNOWN = createWhichRaAnswer({ status: 'UNKNOWN', agency: null }, NOW);

describe('a record', () => {
  test('is looked up once for all letter cases, and each caller gets its own spelling, frozen', async () => {
    const { loaders, calls } = setUp({ records: { '10.1000/abc': VALUES } });
    const spellings = ['10.1000/ABC', '10.1000/abc', '10.1000/aBc', '10.1000/ABC'].map(doiName);
    const records = await Promise.all(spellings.map((name) => loaders.record(name)));
    records.push(await loaders.record(doiName('10.1000/abC')));
    expect(records.map(({ handle }) => handle)).toEqual([...spellings, '10.1000/abC']);
    expect(calls.resolve).toEqual([{ name: '10.1000/ABC', auth: false, cert: false }]);
    for (const record of records) {
      expect(record.status).toBe('SUCCESS');
      expect(record.values).toBe(records[0]?.values);
      expect(record).toSatisfy(Object.isFrozen);
    }
  });

  test('is not shared by names that differ in more than the case of Basic Latin letters', async () => {
    const { loaders, calls } = setUp();
    const suffixes = ['é', 'É', 'e\u0301', 'k', '\u212a', 'k/'];
    const names = suffixes.map((suffix) => doiName(`10.1000/${suffix}`));
    await Promise.all(names.map((name) => loaders.record(name)));
    expect(calls.resolve.map(({ name }) => name)).toEqual(names);
  });

  test('of a handle outside 10 is shared if only the letter case of the prefix differs, but not of the suffix', async () => {
    const { loaders, calls } = setUp({ records: { '20.500.abc/X': VALUES } });
    const names = ['20.500.abc/X', '20.500.abc/x', '20.500.ABC/x', '10.SERV/A', '10.serv/a'] as HandleName[];
    const records = await Promise.all(names.map((name) => loaders.record(name)));
    expect(records.map(({ handle }) => handle)).toEqual(names);
    expect(records.map(({ values }) => values.length)).toEqual([1, 0, 0, 0, 0]);
    expect(calls.resolve.map(({ name }) => name)).toEqual(['20.500.abc/X', '20.500.abc/x', '10.SERV/A']);
  });

  const FLAGS = [
    { auth: true, cert: false },
    { auth: false, cert: true },
    { auth: true, cert: true },
  ];

  test('is looked up once for each combination of auth and cert', async () => {
    const { loaders, calls } = setUp();
    const flags = [{ auth: false, cert: false }, ...FLAGS];
    await Promise.all([...flags, ...flags].map((freshness) => loaders.record(NAME, freshness)));
    await loaders.record(NAME);
    expect(calls.resolve).toEqual(flags.map((freshness) => ({ name: NAME, ...freshness })));
  });

  test.each(FLAGS)('in memory is not used for a look-up with %o', async (freshness) => {
    for (const isLookedUpBefore of [false, true]) {
      const directory = createMemoryDirectory({ records: { [NAME]: VALUES } });
      const loaders = loadersOver(directory);
      if (isLookedUpBefore) await loaders.record(NAME);
      await loaders.record(NAME, freshness);
      expect(directory.calls.resolve).toEqual([{ name: NAME, ...freshness }]);
    }
  });

  test('that cannot be looked up fails for all its callers, and other records do not fail', async () => {
    const failure = new GatewayError('UPSTREAM_TIMEOUT');
    const { loaders, calls } = setUp({ records: { '10.1000/bad': failure } });
    const names = ['10.1000/a', '10.1000/bad', '10.1000/b', '10.1000/BAD'].map(doiName);
    const outcomes = await Promise.allSettled(names.map((name) => loaders.record(name)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(outcomes[1]).toEqual({ status: 'rejected', reason: failure });
    expect(outcomes[3]).toEqual({ status: 'rejected', reason: failure });
    expect(calls.resolve).toHaveLength(3);
  });

  test('with the status ERROR is data', async () => {
    const { loaders } = setUp({ records: { [NAME]: 2 } });
    expect(await loaders.record(NAME)).toMatchObject({ status: 'ERROR', responseCode: 2 });
  });

  test('is looked up again for another request', async () => {
    const directory = createFakeDirectory();
    for (let request = 0; request < 2; request += 1) await loadersOver(directory).record(NAME);
    expect(directory.calls.resolve.map(({ name }) => canonicalName(name))).toEqual([NAME, NAME]);
  });
});

describe('the agencies', () => {
  const agencies = { '10.1000/a': CROSSREF, '10.1000/b': UNKNOWN };

  test('of all names of one tick are looked up in one call, each name once', async () => {
    const { loaders, calls } = setUp({ agencies });
    const names = ['10.1000/a', '10.1000/b', '10.1000/A', '10.1000/c'].map(doiName);
    // A resolver may need some microtasks before it looks up.
    const later = Promise.resolve().then(() => loaders.whichRa(doiName('10.1000/d')));
    const absent = createWhichRaAnswer({ status: 'DOES_NOT_EXIST', agency: null }, NOW);
    expect(await Promise.all([...names.map((name) => loaders.whichRa(name)), later])).toEqual([
      CROSSREF,
      UNKNOWN,
      CROSSREF,
      absent,
      absent,
    ]);
    await loaders.whichRa(doiName('10.1000/A'));
    expect(calls).toEqual({
      resolve: [],
      whichRa: [['10.1000/a', '10.1000/b', '10.1000/c', '10.1000/d']],
    });
  });

  test('are independent: the look-up of one name can fail while another name has its agency', async () => {
    const failure = new GatewayError('UPSTREAM_BAD_RESPONSE');
    const { loaders } = setUp({ agencies: { ...agencies, '10.1000/bad': failure } });
    const bad = loaders.whichRa(doiName('10.1000/bad'));
    const good = loaders.whichRa(NAME);
    await expect(bad).rejects.toBe(failure);
    expect(await good).toEqual(CROSSREF);
  });
});

test('metadata from memory have the format that each call asks for', () => {
  const answerOf = ({ kind }: MetadataFormat) => ({
    content: kind,
    source: 'Crossref',
    fetchedAt: NOW,
    freshUntil: NOW + 1_000,
    stale: false,
  });
  const memory = memoryWith({ metadata: (_, format) => keptForever(answerOf(format)) });
  const loaders = loadersOver({ ...createFakeDirectory({ metadata: {} }), memory });
  const formats = [CSL, LANGUAGE, CSL];
  expect(formats.map((format) => loaders.metadata(NAME, format))).toEqual(formats.map(answerOf));
});

test('a slow name delays no other name', async () => {
  const directory = createHeldDirectory();
  const loaders = loadersOver(directory);
  const slow = doiName('10.1000/slow');
  const fast = doiName('10.1000/fast');
  const slowAnswers = [loaders.record(slow), loaders.whichRa(slow)];
  const fastAnswers = [loaders.record(fast), loaders.whichRa(fast)];
  directory.answer(fast);
  directory.answerAgency(fast, 'Crossref');
  expect(await Promise.all(fastAnswers)).toMatchObject([{ handle: fast }, CROSSREF]);
  expect(directory.calls).toEqual({ resolve: [slow, fast], whichRa: [[slow, fast]] });
  directory.answer(slow);
  directory.answerAgency(slow, 'DataCite');
  expect(await Promise.all(slowAnswers)).toMatchObject([{ handle: slow }, { agency: 'DataCite' }]);
});

test('the abort of a request aborts each of its look-ups, with the same reason', async () => {
  const reason = new Error('the client has gone');
  const controller = new AbortController();
  const signals: (AbortSignal | undefined)[] = [];
  const untilAborted = ({ signal }: ResolveOptions = {}) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      if (signals.push(signal) === 4) controller.abort(reason);
    });
  const loaders = loadersOver(
    {
      ...createFakeDirectory(),
      resolve: (_, options) => untilAborted(options),
      whichRa: (names, options) => names.map(() => untilAborted(options)),
    },
    controller.signal,
  );
  const outcomes = await Promise.allSettled([
    loaders.record(NAME),
    loaders.record(NAME, { auth: true, cert: true }),
    loaders.record(doiName('10.1000/b')),
    loaders.whichRa(NAME),
  ]);
  expect(signals.map((signal) => signal?.reason)).toEqual(Array(4).fill(reason));
  expect(outcomes).toEqual(Array(4).fill({ status: 'rejected', reason }));
});

test('the directory gets the names of each tick as one batch', async () => {
  const fake = createFakeDirectory();
  const batches: unknown[] = [];
  const directory: Directory = {
    ...fake,
    resolve(name, options) {
      batches.push(options?.requester?.batch);
      return fake.resolve(name, options);
    },
  };
  const signal = () => new AbortController().signal;
  const loaders = new TrackingLoaders({
    directory,
    requester: requesterAt('127.0.0.1'),
    signal,
    maxLookups: 10,
  });
  await Promise.all(['10.1000/a', '10.1000/b'].map((name) => loaders.record(doiName(name))));
  await loaders.record(doiName('10.1000/c'));
  const [a, b, c] = batches;
  expect(a).toBeDefined();
  expect(b).toBe(a);
  expect(c).toBeDefined();
  expect(c).not.toBe(a);
});
