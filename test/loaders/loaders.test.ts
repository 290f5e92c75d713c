// One request makes each look-up once, and every caller gets its own answer as soon as it is there.

import { canonicalName, type HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import {
  createWhichRaAnswer,
  type Directory,
  type ResolveOptions,
  type WhichRaAnswer,
} from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { createRecord, type HandleRecord } from '../../src/handle/record.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory, type FakeDirectoryOptions, NOW, urlValue } from '../support/fake-directory.ts';
import { createMemoryDirectory } from '../support/memory-directory.ts';
import { requesterAt } from '../upstream/clients.ts';

const quiet = () => new AbortController().signal;

function setUp(options: FakeDirectoryOptions = {}) {
  const directory = createFakeDirectory(options);
  return {
    loaders: new TrackingLoaders({ directory: directory, signal: quiet, maxLookups: 2_000 }),
    calls: directory.calls,
  };
}

function absentRecord(handle: HandleName): HandleRecord {
  return createRecord({ responseCode: 100, handle, values: [], fetchedAt: NOW });
}

const CROSSREF = createWhichRaAnswer({ status: 'FOUND', agency: 'Crossref' }, NOW);
const UNKNOWN = createWhichRaAnswer({ status: 'UNKNOWN', agency: null }, NOW);

describe('a record', () => {
  test('is looked up once in any letter case, and each caller gets its own spelling', async () => {
    const { loaders, calls } = setUp({ records: { '10.1000/abc': [urlValue('https://example.org/')] } });
    const spellings = ['10.1000/ABC', '10.1000/abc', '10.1000/aBc', '10.1000/ABC'].map(doiName);
    const records = await Promise.all(spellings.map((name) => loaders.record(name)));
    expect(records.map(({ handle }) => handle)).toEqual(spellings);
    expect(calls.resolve).toEqual([{ name: '10.1000/ABC', auth: false, cert: false }]);
    for (const { status, values } of records) {
      expect(status).toBe('SUCCESS');
      expect(values).toBe(records[0]?.values);
    }
  });

  test('is not looked up again later in the same request', async () => {
    const { loaders, calls } = setUp();
    const first = await loaders.record(doiName('10.1000/abc'));
    const second = await loaders.record(doiName('10.1000/ABC'));
    expect([first.handle, second.handle]).toEqual(['10.1000/abc', '10.1000/ABC']);
    expect(calls.resolve).toHaveLength(1);
  });

  test('of a name that differs in anything but Basic Latin case is another', async () => {
    const { loaders, calls } = setUp();
    const names = [
      '10.1000/é',
      '10.1000/É',
      '10.1000/e\u0301',
      '10.1000/k',
      '10.1000/\u212a',
      '10.1000/k/',
    ].map(doiName);
    await Promise.all(names.map((name) => loaders.record(name)));
    expect(calls.resolve.map(({ name }) => name)).toEqual(names);
  });

  test('of a handle outside 10 is one for each case of its suffix, and one for all cases of its prefix', async () => {
    const { loaders, calls } = setUp({
      records: {
        '20.500.abc/X': [urlValue('https://example.org/upper')],
        '20.500.abc/x': [urlValue('https://example.org/lower')],
      },
    });
    const names = ['20.500.abc/X', '20.500.abc/x', '20.500.ABC/x', '10.SERV/A', '10.serv/a'] as HandleName[];
    const records = await Promise.all(names.map((name) => loaders.record(name)));
    expect(records.map(({ handle }) => handle)).toEqual(names);
    expect(records.map(({ values }) => values.map(({ data }) => 'value' in data && data.value))).toEqual([
      ['https://example.org/upper'],
      ['https://example.org/lower'],
      ['https://example.org/lower'],
      [],
      [],
    ]);
    expect(calls.resolve.map(({ name }) => name)).toEqual(['20.500.abc/X', '20.500.abc/x', '10.SERV/A']);
  });

  test('is looked up again with other flags, once for each', async () => {
    const { loaders, calls } = setUp();
    const name = doiName('10.1000/a');
    const flags = [
      { auth: false, cert: false },
      { auth: true, cert: false },
      { auth: false, cert: true },
      { auth: true, cert: true },
    ];
    await Promise.all([...flags, ...flags].map((freshness) => loaders.record(name, freshness)));
    await loaders.record(name);
    expect(calls.resolve).toEqual(flags.map((freshness) => ({ name, ...freshness })));
  });

  test('in the spelling of another caller is frozen too', async () => {
    const { loaders } = setUp();
    const records = await Promise.all(
      ['10.1000/a', '10.1000/A'].map((name) => loaders.record(doiName(name))),
    );
    for (const answer of records) expect(answer).toSatisfy(Object.isFrozen);
  });

  test('of a slow name holds back no other', async () => {
    const name = doiName('10.1000/slow');
    let answer: (record: HandleRecord) => void = () => expect.unreachable();
    const slowRecord = new Promise<HandleRecord>((resolve) => {
      answer = resolve;
    });
    const { loaders, calls } = setUp({ records: { '10.1000/slow': () => slowRecord } });
    const slow = loaders.record(name);
    const fast = await loaders.record(doiName('10.1000/fast'));
    expect(fast.handle).toBe('10.1000/fast');
    expect(calls.resolve.map((call) => call.name)).toEqual(['10.1000/slow', '10.1000/fast']);
    answer(absentRecord(name));
    expect((await slow).handle).toBe('10.1000/slow');
  });

  test('that fails does so alone, for all its callers', async () => {
    const failure = new GatewayError('UPSTREAM_TIMEOUT');
    const { loaders, calls } = setUp({ records: { '10.1000/bad': failure } });
    const names = ['10.1000/a', '10.1000/bad', '10.1000/b', '10.1000/BAD'].map(doiName);
    const outcomes = await Promise.allSettled(names.map((name) => loaders.record(name)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(outcomes[1]).toEqual({ status: 'rejected', reason: failure });
    expect(outcomes[3]).toEqual({ status: 'rejected', reason: failure });
    expect(calls.resolve).toHaveLength(3);
  });

  test('of status ERROR is data', async () => {
    const { loaders } = setUp({ records: { '10.1000/error': 2 } });
    expect(await loaders.record(doiName('10.1000/error'))).toMatchObject({
      status: 'ERROR',
      responseCode: 2,
    });
  });
});

describe('the agencies', () => {
  const agencies = { '10.1000/a': CROSSREF, '10.1000/b': UNKNOWN };

  test('of all names of one tick are looked up in one call, each name once', async () => {
    const { loaders, calls } = setUp({ agencies });
    const names = ['10.1000/a', '10.1000/b', '10.1000/A', '10.1000/c', '10.1000/a'].map(doiName);
    expect(await Promise.all(names.map((name) => loaders.whichRa(name)))).toEqual([
      CROSSREF,
      UNKNOWN,
      CROSSREF,
      createWhichRaAnswer({ status: 'DOES_NOT_EXIST', agency: null }, NOW),
      CROSSREF,
    ]);
    expect(calls.whichRa).toEqual([['10.1000/a', '10.1000/b', '10.1000/c']]);
    expect(calls.resolve).toEqual([]);
  });

  test('of resolvers that come to their question in different microtasks are in the same call', async () => {
    const { loaders, calls } = setUp({ agencies });
    const later = Promise.resolve().then(() => loaders.whichRa(doiName('10.1000/b')));
    await Promise.all([loaders.whichRa(doiName('10.1000/a')), later]);
    expect(calls.whichRa).toEqual([['10.1000/a', '10.1000/b']]);
  });

  test('are not looked up again later in the same request', async () => {
    const { loaders, calls } = setUp({ agencies });
    await loaders.whichRa(doiName('10.1000/a'));
    await Promise.all(['10.1000/A', '10.1000/b'].map((name) => loaders.whichRa(doiName(name))));
    expect(calls.whichRa).toEqual([['10.1000/a'], ['10.1000/b']]);
  });

  test('of a failing name fail no other', async () => {
    const failure = new GatewayError('UPSTREAM_BAD_RESPONSE');
    const { loaders } = setUp({ agencies: { ...agencies, '10.1000/bad': failure } });
    const bad = loaders.whichRa(doiName('10.1000/bad'));
    const good = loaders.whichRa(doiName('10.1000/a'));
    await expect(bad).rejects.toBe(failure);
    expect(await good).toEqual(CROSSREF);
  });

  test('of a slow name hold back no other', async () => {
    let answer: (agency: WhichRaAnswer) => void = () => expect.unreachable();
    const slowAnswer = new Promise<WhichRaAnswer>((resolve) => {
      answer = resolve;
    });
    const directory: Directory = {
      ...createFakeDirectory(),
      whichRa: (names) =>
        names.map((name) => (name === '10.1000/slow' ? slowAnswer : Promise.resolve(CROSSREF))),
    };
    const loaders = new TrackingLoaders({ directory: directory, signal: quiet, maxLookups: 2_000 });
    const slow = loaders.whichRa(doiName('10.1000/slow'));
    expect(await loaders.whichRa(doiName('10.1000/fast'))).toEqual(CROSSREF);
    answer(UNKNOWN);
    expect(await slow).toEqual(UNKNOWN);
  });
});

describe('a record that memory holds', () => {
  test.each([
    { auth: true, cert: false },
    { auth: false, cert: true },
    { auth: true, cert: true },
  ])('is asked for past memory with %o, before and after it was given from there', async (freshness) => {
    const name = doiName('10.1000/a');
    const records = { [name]: [urlValue('https://example.org/')] };
    for (const isGivenBefore of [false, true]) {
      const directory = createMemoryDirectory({ records });
      const loaders = new TrackingLoaders({ directory, signal: quiet, maxLookups: 2_000 });
      if (isGivenBefore) await loaders.record(name);
      await loaders.record(name, freshness);
      expect(directory.calls.resolve).toEqual([{ name, ...freshness }]);
    }
  });
});

describe("the request's signal", () => {
  const reason = new Error('the client has gone');

  /** A directory that answers nothing, but goes by the signals it is given; and those signals. */
  function createSilentDirectory(onAsked: (count: number) => void) {
    const signals: (AbortSignal | undefined)[] = [];
    const untilAborted = ({ signal }: ResolveOptions = {}) =>
      new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        onAsked(signals.push(signal));
      });
    const directory: Directory = {
      ...createFakeDirectory(),
      resolve: (_, options) => untilAborted(options),
      whichRa: (names, options) => names.map(() => untilAborted(options)),
    };
    return { directory, signals };
  }

  test('is passed to the directory, and ends every look-up with its reason', async () => {
    const controller = new AbortController();
    const { directory, signals } = createSilentDirectory((count) => {
      if (count === 4) controller.abort(reason);
    });
    const loaders = new TrackingLoaders({
      directory: directory,
      signal: () => controller.signal,
      maxLookups: 2_000,
    });
    const name = doiName('10.1000/a');
    const outcomes = await Promise.allSettled([
      loaders.record(name),
      loaders.record(name, { auth: true, cert: true }),
      loaders.record(doiName('10.1000/b')),
      loaders.whichRa(name),
    ]);
    expect(signals.map((signal) => signal?.reason)).toEqual(Array(4).fill(reason));
    expect(outcomes).toEqual(Array(4).fill({ status: 'rejected', reason }));
  });
});

test('loaders of another request look names up again', async () => {
  const directory = createFakeDirectory();
  const name = doiName('10.1000/a');
  await new TrackingLoaders({ directory: directory, signal: quiet, maxLookups: 2_000 }).record(name);
  await new TrackingLoaders({ directory: directory, signal: quiet, maxLookups: 2_000 }).record(name);
  expect(directory.calls.resolve.map((call) => canonicalName(call.name))).toEqual([name, name]);
});

test('names of one tick are one batch for the directory, and names of a later tick another batch', async () => {
  const fake = createFakeDirectory();
  const batches: unknown[] = [];
  const directory: Directory = {
    ...fake,
    resolve(name, options) {
      batches.push(options?.requester?.batch);
      return fake.resolve(name, options);
    },
  };
  const requester = requesterAt('127.0.0.1');
  const loaders = new TrackingLoaders({ directory, requester, signal: quiet, maxLookups: 2_000 });
  await Promise.all(['10.1000/a', '10.1000/b'].map((name) => loaders.record(doiName(name))));
  await loaders.record(doiName('10.1000/c'));
  const [a, b, c] = batches;
  expect(a).toBeDefined();
  expect(b).toBe(a);
  expect(c).toBeDefined();
  expect(c).not.toBe(a);
});
