import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import type { Directory } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { followAliases } from '../../src/loaders/resolve-name.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../support/fake-directory.ts';

type Records = Readonly<Record<string, RecordBehaviour>>;

const aliasTo = (target: string): RecordBehaviour => [urlValue(target, { type: 'HS_ALIAS' })];
const END: RecordBehaviour = [urlValue('https://example.org/')];

/** `10.1000/a-0` → `10.1000/A-1` → … The targets are in upper case, the names of the records in lower case. */
function chain(id: string, hops: number, end: RecordBehaviour | null = END): Records {
  const links = Array.from({ length: hops }, (_, hop) => [
    `10.1000/${id}-${hop}`,
    aliasTo(`10.1000/${id.toUpperCase()}-${hop + 1}`),
  ]);
  return Object.fromEntries([...links, ...(end === null ? [] : [[`10.1000/${id}-${hops}`, end]])]);
}

const loadersOver = (directory: Directory) =>
  new TrackingLoaders({
    directory,
    signal: () => new AbortController().signal,
    maxLookups: 2_000,
    nextTurn: () => Promise.resolve(),
  });

/** Follows the aliases of one name over these records. */
function follow(records: Records, start: string) {
  const directory = createFakeDirectory({ records });
  const names = () => directory.calls.resolve.map(({ name }) => name);
  return { chain: followAliases(doiName(start), loadersOver(directory)), names };
}

/** A directory that answers in rounds: it holds its answers until no more look-ups come, and then sends all of them. */
function createRounds(records: Records) {
  const directory = createFakeDirectory({ records });
  const rounds: HandleName[][] = [];
  let held: { readonly name: HandleName; readonly send: () => void }[] = [];
  const holding: Directory = {
    ...directory,
    async resolve(name, options) {
      await new Promise<void>((send) => held.push({ name, send }));
      return directory.resolve(name, options);
    },
  };
  return {
    loaders: loadersOver(holding),
    rounds,
    async run<T>(work: Promise<T>): Promise<T> {
      const ended = work.then(
        () => true,
        () => true,
      );
      // A turn of the event loop ends when no promise is left that could make a look-up.
      const turn = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)));
      while (!(await Promise.race([ended, turn()]))) {
        if (held.length === 0) continue;
        const round = held;
        held = [];
        rounds.push(round.map(({ name }) => name));
        for (const { send } of round) send();
      }
      return work;
    },
  };
}

describe('the chains of many names', () => {
  const ids = Array.from({ length: 200 }, (_, n) => `n${n}`);

  test('need one round of look-ups for each hop, and one look-up for each name', async () => {
    const { loaders, rounds, run } = createRounds(Object.assign({}, ...ids.map((id) => chain(id, 3))));
    // Every name in two spellings, and a name in the middle of each chain.
    const starts = ids.flatMap((id) => [
      `10.1000/${id}-0`,
      `10.1000/${id.toUpperCase()}-0`,
      `10.1000/${id}-2`,
    ]);
    const chains = await run(Promise.all(starts.map((start) => followAliases(doiName(start), loaders))));

    expect(chains.map(({ via }) => via.length)).toEqual(ids.flatMap(() => [3, 3, 1]));
    expect(chains.every(({ record }) => record.handle.endsWith('-3'))).toBe(true);
    expect(rounds.length).toBeLessThanOrEqual(4);
    const names = rounds.flat().map((name) => name.toLowerCase());
    expect(names.length).toBe(800);
    expect(new Set(names).size).toBe(800);
  });

  test('share the look-ups of the names that they have in common', async () => {
    const starts = Object.fromEntries(ids.map((id) => [`10.1000/${id}`, aliasTo('10.1000/all-0')]));
    const { loaders, rounds, run } = createRounds({ ...starts, ...chain('all', 2) });
    await run(Promise.all(ids.map((id) => followAliases(doiName(`10.1000/${id}`), loaders))));
    expect(rounds.map(({ length }) => length)).toEqual([200, 1, 1, 1]);
  });

  test('succeed when another chain fails', async () => {
    const failing = { ...chain('a', 1, new GatewayError('UPSTREAM_TIMEOUT')), ...chain('b', 2) };
    const loaders = loadersOver(createFakeDirectory({ records: { ...failing, ...chain('c', 1, null) } }));
    const results = await Promise.allSettled(
      ['10.1000/a-0', '10.1000/b-0', '10.1000/c-0'].map((name) => followAliases(doiName(name), loaders)),
    );
    expect(results).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'UPSTREAM_TIMEOUT' }) },
      { status: 'fulfilled', value: expect.objectContaining({ via: ['10.1000/B-1', '10.1000/B-2'] }) },
      { status: 'fulfilled', value: expect.objectContaining({ via: ['10.1000/C-1'] }) },
    ]);
  });
});

describe('a chain', () => {
  test.each([
    ['no alias', chain('a', 0), [], 'SUCCESS'],
    ['20 aliases', chain('a', 20), Array.from({ length: 20 }, (_, hop) => `10.1000/A-${hop + 1}`), 'SUCCESS'],
    [
      'two aliases and an absent name',
      chain('a', 2, null),
      ['10.1000/A-1', '10.1000/A-2'],
      'HANDLE_NOT_FOUND',
    ],
  ])('of %s ends with the record of the last name', async (_, records, via, status) => {
    const { chain: end, names } = follow(records, '10.1000/a-0');
    const handle = via.at(-1) ?? '10.1000/a-0';
    expect(await end).toMatchObject({ via, record: { handle, status } });
    expect(names().length).toBe(via.length + 1);
  });

  test.each([
    ['of 21 aliases', chain('a', 21), 21],
    ['of a thousand aliases', chain('a', 1_000), 21],
    ['to itself', { '10.1000/a-0': aliasTo('10.1000/a-0') }, 1],
    ['to itself in another letter case', { '10.1000/a-0': aliasTo('10.1000/A-0') }, 1],
    ['back to its start', { ...chain('a', 2), '10.1000/a-2': aliasTo('10.1000/A-0') }, 3],
    ['back to its middle', { ...chain('a', 2), '10.1000/a-2': aliasTo('10.1000/A-1') }, 3],
  ])('%s is an ALIAS_LOOP, and looks up no name twice', async (_, records, lookUps) => {
    const { chain: end, names } = follow(records, '10.1000/a-0');
    await expect(end).rejects.toMatchObject({ code: 'ALIAS_LOOP' });
    expect(names().length).toBe(lookUps);
  });

  test('over two spellings of a handle outside 10 is no loop', async () => {
    const records = { '10.1000/a': aliasTo('2381/A'), '2381/A': aliasTo('2381/a'), '2381/a': END };
    const { chain: end, names } = follow(records, '10.1000/a');
    expect(await end).toMatchObject({ via: ['2381/A', '2381/a'], record: { status: 'SUCCESS' } });
    expect(names()).toEqual(['10.1000/a', '2381/A', '2381/a']);
  });

  test.each([
    ['fails', new GatewayError('UPSTREAM_RATE_LIMITED'), 'UPSTREAM_RATE_LIMITED'],
    ['has the status ERROR', 2, 'UPSTREAM_UNAVAILABLE'],
  ])('fails if one of its records %s', async (_, behaviour, code) => {
    for (const hops of [0, 2]) {
      const { chain: end } = follow(chain('a', hops, behaviour), '10.1000/a-0');
      await expect(end).rejects.toMatchObject({ code });
    }
  });
});
