// The choice among locations: each method narrows the list, and a draw ends it.

import { describe, expect, test } from 'vitest';
import {
  chooseLocation,
  type LocationCriteria,
  type PoolLocation,
  type RandomSource,
} from '../../src/handle/choose-location.ts';
import { testTable } from '../support/test-table.ts';

type Attributes = Readonly<Record<string, string>>;

function location({ weight = '1', url, ...attributes }: Attributes): PoolLocation {
  const entries = Object.entries(attributes).map(([name, value]) => ({ name, value }));
  return {
    href: `https://${attributes['id']}.example/`,
    weight: Number(weight),
    statusCode: null,
    attributes: entries,
    isUrlValue: url !== undefined,
  };
}

const DEFAULT = ['locatt', 'country', 'score', 'weighted'];
const FIRST: RandomSource = () => 0;
const LAST: RandomSource = () => 1 - 2 ** -32;

interface Asked extends LocationCriteria {
  readonly chooseBy?: readonly string[];
  readonly random?: RandomSource;
}

function choose(
  [first = {}, ...others]: readonly Attributes[],
  { chooseBy = DEFAULT, random = FIRST, ...criteria }: Asked = {},
) {
  const locations = [location(first), ...others.map(location)] as const;
  const choice = chooseLocation(locations, chooseBy, criteria, random);
  const id = (candidate: PoolLocation) => candidate.attributes.find(({ name }) => name === 'id')?.value;
  return [id(choice.location), choice.method, choice.candidates.map(id).join('')];
}

// The example of the DOI Handbook, and two more that differ in what they are for.
const UK = { id: 'a', country: 'gb', weight: '0' };
const ONE = { id: 'b', role: 'x', label: 'p:q' };
const TWO = { id: 'c', role: 'x' };
const HANDBOOK = [UK, ONE, TWO];

/** `mulberry32`: evenly distributed, and the same for the same seed. */
function seeded(seed: number): RandomSource {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function tally(locations: readonly Attributes[], draws: number): Record<string, number> {
  const random = seeded(42);
  const counts: Record<string, number> = {};
  for (let draw = 0; draw < draws; draw += 1) {
    const [id = ''] = choose(locations, { random });
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

describe('a single location', () => {
  testTable<Asked>([{}, { country: 'fr' }, { locatt: ['id:z'] }, { chooseBy: [] }])(
    'wins whatever is asked: %j',
    (asked) => {
      expect(choose([UK], asked)).toEqual(['a', 'WEIGHTED', 'a']);
    },
  );
});

describe('locatt', () => {
  test('may name an attribute of one letter, and a value with a colon', () => {
    const there = { id: 'b', a: 'x:y' };
    expect(choose([{ id: 'a', a: '' }, there], { locatt: ['a:x:y'] })).toEqual(['b', 'LOCATT', 'b']);
  });

  testTable<[readonly string[], unknown[]]>([
    [['id:a'], ['a', 'LOCATT', 'a']],
    [['id:c'], ['c', 'LOCATT', 'c']],
    [
      ['role:x', 'id:c'],
      ['c', 'LOCATT', 'c'],
    ],
    [['country:gb'], ['a', 'LOCATT', 'a']],
    [['label:p:q'], ['b', 'LOCATT', 'b']],
    [['label'], ['b', 'LOCATT', 'b']],
    [
      ['id:z', 'id:c', 'id:b'],
      ['c', 'LOCATT', 'c'],
    ],
    [
      ['role:x', 'country:gb', 'id:b'],
      ['b', 'LOCATT', 'b'],
    ],
  ])('%j, one after the other, leave one location', (locatt, choice) => {
    expect(choose(HANDBOOK, { locatt })).toEqual(choice);
  });

  testTable([[['id:z']], [['color:red']], [['color']], [['xlink:role']], [[]]])(
    '%j leaves none, so it is undone',
    (locatt) => {
      expect(choose(HANDBOOK, { locatt })).toEqual(['b', 'WEIGHTED', 'bc']);
    },
  );

  test('that leaves several hands them on', () => {
    expect(choose(HANDBOOK, { locatt: ['role:x'], random: LAST })).toEqual(['c', 'WEIGHTED', 'bc']);
    expect(choose([UK, { ...ONE, country: 'fr' }, TWO], { locatt: ['role:x'], country: 'fr' })).toEqual([
      'b',
      'COUNTRY',
      'b',
    ]);
  });
});

describe('country', () => {
  testTable(['gb', 'GB', 'Gb'])('%s leaves the location of that country, whatever its weight', (country) => {
    expect(choose(HANDBOOK, { country })).toEqual(['a', 'COUNTRY', 'a']);
    expect(choose([{ ...UK, country: 'GB' }, ONE], { country })).toEqual(['a', 'COUNTRY', 'a']);
  });

  test('that has no location leaves those without a country', () => {
    expect(choose(HANDBOOK, { country: 'fr', random: LAST })).toEqual(['c', 'WEIGHTED', 'bc']);
    expect(choose([UK, ONE], { country: 'fr' })).toEqual(['b', 'COUNTRY', 'b']);
  });

  test('is undone where every location is in another country', () => {
    const locations = [
      { ...UK, weight: '1' },
      { id: 'b', country: 'de' },
    ];
    expect(choose(locations, { country: 'fr' })).toEqual(['a', 'WEIGHTED', 'ab']);
  });

  testTable([undefined, null])('that is not known (%s) is skipped', (country) => {
    expect(choose([{ ...UK, weight: '1' }, ONE], { ...(country === undefined ? {} : { country }) })).toEqual([
      'a',
      'WEIGHTED',
      'ab',
    ]);
  });
});

describe('score', () => {
  const scored = (...scores: (string | null)[]) =>
    scores.map((score, n) => ({ id: 'abc'[n] ?? '', ...(score === null ? {} : { score }) }));

  testTable<[(string | null)[], string, string]>([
    [['1', '2', null], 'b', 'SCORE'],
    [['-1', null, '-2'], 'b', 'SCORE'],
    [['x', '0.5', 'Infinity'], 'b', 'SCORE'],
    [['2', '1', '2'], 'ac', 'WEIGHTED'],
    [['x', null, '0'], 'abc', 'WEIGHTED'],
  ])('%j leaves the highest; none is 0', (scores, candidates, method) => {
    expect(choose(scored(...scores))).toEqual([candidates[0], method, candidates]);
  });
});

describe('a URL value in the pool', () => {
  const URL_VALUE = { id: 'u', url: 'yes', weight: '0' };

  test('is not a location without a country', () => {
    expect(choose([UK, URL_VALUE], { country: 'fr' })).toEqual(['a', 'WEIGHTED', 'au']);
    expect(choose([UK, ONE, URL_VALUE], { country: 'fr' })).toEqual(['b', 'COUNTRY', 'b']);
  });
});

describe('the order of methods', () => {
  const both = { locatt: ['id:c'], country: 'gb' };

  testTable<[string, unknown[]]>([
    ['locatt,country,weighted', ['c', 'LOCATT', 'c']],
    ['country,locatt,weighted', ['a', 'COUNTRY', 'a']],
    ['country,weighted', ['a', 'COUNTRY', 'a']],
    ['locatt', ['c', 'LOCATT', 'c']],
    ['weighted', ['b', 'WEIGHTED', 'bc']],
    ['weighted,locatt', ['b', 'WEIGHTED', 'bc']],
    ['moon,locatt', ['c', 'LOCATT', 'c']],
    ['moon', ['b', 'WEIGHTED', 'bc']],
    ['constructor,__proto__,toString,country', ['a', 'COUNTRY', 'a']],
    ['', ['b', 'WEIGHTED', 'bc']],
  ])('%s comes from the list; unknown ones are skipped, and a draw ends it', (chooseBy, choice) => {
    expect(choose(HANDBOOK, { ...both, chooseBy: chooseBy.split(',') })).toEqual(choice);
  });
});

describe('a draw', () => {
  const weighing = (...weights: string[]) => weights.map((weight, n) => ({ id: 'abc'[n] ?? '', weight }));

  testTable([
    [weighing('0', '1', '1'), 'bc'],
    [weighing('-1', '1', '0.5'), 'bc'],
    [weighing('0', '0', '0'), 'abc'],
    [weighing('-1', '0', '-2'), 'abc'],
    [weighing('0', '1', '0'), 'b'],
  ])('among %j is among %s: weights of 0 and less are out unless all are', (locations, candidates) => {
    expect(choose(locations)).toEqual([candidates[0], 'WEIGHTED', candidates]);
    expect(choose(locations, { random: LAST })).toEqual([candidates.at(-1), 'WEIGHTED', candidates]);
  });

  testTable([
    [weighing('0', '1', '1'), { b: 0.5, c: 0.5 }],
    [weighing('1', '3'), { a: 0.25, b: 0.75 }],
    [weighing('0', '-5'), { a: 0.5, b: 0.5 }],
  ])('of 10,000 is split in proportion to weight: %j', (locations, shares) => {
    const counts = tally(locations, 10_000);
    expect(new Set(Object.keys(counts))).toEqual(new Set(Object.keys(shares)));
    for (const [id, share] of Object.entries(shares)) {
      expect(Math.abs((counts[id] ?? 0) / 10_000 / share - 1)).toBeLessThan(0.05);
    }
  });
});

describe('however much is asked', () => {
  const locations = Array.from({ length: 1_000 }, (_, n) => ({
    id: String(n),
    ...Object.fromEntries(Array.from({ length: 62 }, (_, k) => [`a${k}`, 'x'])),
  }));

  test('each method is applied once', () => {
    const chooseBy = Array.from({ length: 28_000 }, (_, n) => (n % 2 ? 'locatt' : 'country'));
    let looks = 0;
    const country = {
      toLowerCase: () => {
        looks += 1;
        return 'fr';
      },
    } as unknown as string;
    expect(choose(HANDBOOK, { chooseBy, country, locatt: ['role:x'] })).toEqual(['b', 'WEIGHTED', 'bc']);
    expect(looks).toBe(1);
  });

  test('a location is looked through once for all attributes', () => {
    const all = Array.from({ length: 62 }, (_, k) => `a${k}:x`);
    const locatt = Array.from({ length: 150_000 }, (_, n) => all[n % 62] ?? '');
    expect(choose(locations, { locatt: [...locatt, 'id:7'] })).toEqual(['7', 'LOCATT', '7']);
    expect(choose(locations, { locatt: [...locatt, 'id:8', 'id:7'] })).toEqual(['8', 'LOCATT', '8']);
  });
});
