// Aliases followed for many names at once: hop by hop, each name looked up once.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import type { Directory } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { followAliases } from '../../src/loaders/resolve-name.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../support/fake-directory.ts';

type Records = Readonly<Record<string, RecordBehaviour>>;

const aliasTo = (target: string): RecordBehaviour => [
  { index: 1, type: 'HS_ALIAS', data: { format: 'string', value: target }, ttl: 86_400 },
];
const END: RecordBehaviour = [urlValue('https://example.org/')];

/** `10.1000/a-0` → `10.1000/A-1` → …, in a case of their own that the directory does not keep. */
function chain(id: string, hops: number, end: RecordBehaviour | null = END): Records {
  const links = Array.from({ length: hops }, (_, hop) => [
    `10.1000/${id}-${hop}`,
    aliasTo(`10.1000/${id.toUpperCase()}-${hop + 1}`),
  ]);
  return Object.fromEntries([...links, ...(end === null ? [] : [[`10.1000/${id}-${hops}`, end]])]);
}

/** All that is asked for together begins in one turn. */
const loadersOver = (directory: Directory) =>
  new TrackingLoaders({
    directory,
    signal: () => new AbortController().signal,
    maxLookups: 2_000,
    nextTurn: () => Promise.resolve(),
  });

function follow(records: Records, start: string) {
  const directory = createFakeDirectory({ records });
  const asked = () => directory.calls.resolve.map(({ name }) => name);
  return { chain: followAliases(doiName(start), loadersOver(directory)), asked };
}

/** A directory whose answers are held until everything is still, and then let go all at once: a round. */
function createRounds(records: Records) {
  const directory = createFakeDirectory({ records });
  const rounds: HandleName[][] = [];
  let held: { readonly name: HandleName; readonly letGo: () => void }[] = [];
  const holding: Directory = {
    ...directory,
    async resolve(name, options) {
      await new Promise<void>((letGo) => held.push({ name, letGo }));
      return directory.resolve(name, options);
    },
  };
  return {
    directory: holding,
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
        for (const { letGo } of round) letGo();
      }
      return work;
    },
  };
}

describe('the chains of many names', () => {
  const ids = Array.from({ length: 200 }, (_, n) => `n${n}`);

  test('are looked up in a round a hop, each name once', async () => {
    const records = Object.assign({}, ...ids.map((id) => chain(id, 3)));
    const { directory, rounds, run } = createRounds(records);
    const loaders = loadersOver(directory);
    // Every name twice, and also names in the middle of a chain.
    const starts = ids.flatMap((id) => [
      `10.1000/${id}-0`,
      `10.1000/${id.toUpperCase()}-0`,
      `10.1000/${id}-2`,
    ]);
    const chains = await run(Promise.all(starts.map((start) => followAliases(doiName(start), loaders))));

    expect(chains.map(({ via }) => via.length)).toEqual(ids.flatMap(() => [3, 3, 1]));
    expect(chains.every(({ record }) => record.handle.endsWith('-3'))).toBe(true);
    expect(rounds.length).toBeLessThanOrEqual(4);
    const asked = rounds.flat().map((name) => name.toLowerCase());
    expect(asked.length).toBe(800);
    expect(new Set(asked).size).toBe(800);
  });

  test('that meet in one name are looked up together from there on', async () => {
    const starts = Object.fromEntries(ids.map((id) => [`10.1000/${id}`, aliasTo('10.1000/all-0')]));
    const { directory, rounds, run } = createRounds({ ...starts, ...chain('all', 2) });
    const loaders = loadersOver(directory);
    await run(Promise.all(ids.map((id) => followAliases(doiName(`10.1000/${id}`), loaders))));
    expect(rounds.map(({ length }) => length)).toEqual([200, 1, 1, 1]);
  });

  test('do not suffer from one that fails', async () => {
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
  test('of no alias is the record itself', async () => {
    const { chain: end, asked } = follow(chain('a', 0), '10.1000/A-0');
    expect(await end).toMatchObject({ via: [], record: { handle: '10.1000/A-0', status: 'SUCCESS' } });
    expect(asked()).toEqual(['10.1000/A-0']);
  });

  test('of 20 aliases is followed to its end', async () => {
    const { chain: end, asked } = follow(chain('a', 20), '10.1000/a-0');
    const { record, via } = await end;
    expect(record).toMatchObject({ handle: '10.1000/A-20', status: 'SUCCESS' });
    expect(via).toEqual(Array.from({ length: 20 }, (_, hop) => `10.1000/A-${hop + 1}`));
    expect(asked().length).toBe(21);
  });

  test.each([
    ['of 21 aliases', chain('a', 21), 21],
    ['of a thousand aliases', chain('a', 1_000), 21],
    ['to itself', { '10.1000/a-0': aliasTo('10.1000/a-0') }, 1],
    ['to itself in another case', { '10.1000/a-0': aliasTo('10.1000/A-0') }, 1],
    ['that comes back to its start', { ...chain('a', 2), '10.1000/a-2': aliasTo('10.1000/A-0') }, 3],
    ['that comes back to its middle', { ...chain('a', 2), '10.1000/a-2': aliasTo('10.1000/A-1') }, 3],
  ])('%s is an ALIAS_LOOP, and no name is looked up twice', async (_, records, lookUps) => {
    const { chain: end, asked } = follow(records, '10.1000/a-0');
    await expect(end).rejects.toMatchObject({ code: 'ALIAS_LOOP' });
    expect(asked().length).toBe(lookUps);
  });

  test('to a handle outside 10 in another case is no loop', async () => {
    const { chain: end, asked } = follow(
      {
        '10.1000/a': aliasTo('2381/A'),
        '2381/A': aliasTo('2381/a'),
        '2381/a': END,
      },
      '10.1000/a',
    );
    expect(await end).toMatchObject({ via: ['2381/A', '2381/a'], record: { status: 'SUCCESS' } });
    expect(asked()).toEqual(['10.1000/a', '2381/A', '2381/a']);
  });

  test('that leads to an absent name ends with the record of the absent name', async () => {
    const { chain: end } = follow(chain('a', 2, null), '10.1000/a-0');
    expect(await end).toMatchObject({
      record: { handle: '10.1000/A-2', status: 'HANDLE_NOT_FOUND' },
      via: ['10.1000/A-1', '10.1000/A-2'],
    });
  });

  test.each([
    ['fails', new GatewayError('UPSTREAM_RATE_LIMITED'), 'UPSTREAM_RATE_LIMITED'],
    ["is the directory's own error", 2, 'UPSTREAM_UNAVAILABLE'],
  ])('rejects when a hop of it %s', async (_, behaviour, code) => {
    await expect(follow(chain('a', 2, behaviour), '10.1000/a-0').chain).rejects.toMatchObject({ code });
    await expect(follow(chain('a', 0, behaviour), '10.1000/a-0').chain).rejects.toMatchObject({ code });
  });
});
