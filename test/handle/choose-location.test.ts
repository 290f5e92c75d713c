// Each method narrows the list of locations. A random choice is the last step.

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

interface Choice extends LocationCriteria {
  readonly chooseBy?: readonly string[];
  readonly random?: RandomSource;
}

function choose(
  [first = {}, ...others]: readonly Attributes[],
  { chooseBy = DEFAULT, random = FIRST, ...criteria }: Choice = {},
) {
  const locations = [location(first), ...others.map(location)] as const;
  const choice = chooseLocation(locations, chooseBy, criteria, random);
  const id = (candidate: PoolLocation) => candidate.attributes.find(({ name }) => name === 'id')?.value;
  return [id(choice.location), choice.method, choice.candidates.map(id).join('')];
}

// The location in the DOI Handbook, and two locations with other attributes.
const UK = { id: 'a', country: 'gb', weight: '0' };
const ONE = { id: 'b', role: 'x', label: 'p:q' };
const TWO = { id: 'c', role: 'x' };
const HANDBOOK = [UK, ONE, TWO];

/** `mulberry32`: evenly distributed, and repeatable. */
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

testTable<Choice>([{}, { country: 'fr' }, { locatt: ['id:z'] }, { chooseBy: [] }])(
  'a single location is chosen for any request',
  (request) => {
    expect(choose([UK], request)).toEqual(['a', 'WEIGHTED', 'a']);
  },
);

describe('locatt', () => {
  test('may have an attribute of one letter and a value with a colon', () => {
    const wanted = { id: 'b', a: 'x:y' };
    expect(choose([{ id: 'a', a: '' }, wanted], { locatt: ['a:x:y'] })).toEqual(['b', 'LOCATT', 'b']);
  });

  testTable<[locatt: string, id: string]>([
    ['id:a', 'a'],
    ['id:c', 'c'],
    ['role:x id:c', 'c'],
    ['country:gb', 'a'],
    ['label:p:q', 'b'],
    ['label', 'b'],
    ['id:z id:c id:b', 'c'],
    ['role:x country:gb id:b', 'b'],
  ])('applies its attributes one after the other', (locatt, id) => {
    expect(choose(HANDBOOK, { locatt: locatt.split(' ') })).toEqual([id, 'LOCATT', id]);
  });

  testTable([[['id:z']], [['color:red']], [['color']], [['xlink:role']], [[]]])(
    'without a matching location has no effect',
    (locatt) => {
      expect(choose(HANDBOOK, { locatt })).toEqual(['b', 'WEIGHTED', 'bc']);
    },
  );

  test('with several matching locations passes them to the next method', () => {
    expect(choose(HANDBOOK, { locatt: ['role:x'], random: LAST })).toEqual(['c', 'WEIGHTED', 'bc']);
    expect(choose([UK, { ...ONE, country: 'fr' }, TWO], { locatt: ['role:x'], country: 'fr' })).toEqual([
      'b',
      'COUNTRY',
      'b',
    ]);
  });
});

describe('country', () => {
  testTable(['gb', 'GB', 'Gb'])('chooses the location of the country, with any weight', (country) => {
    expect(choose(HANDBOOK, { country })).toEqual(['a', 'COUNTRY', 'a']);
    expect(choose([{ ...UK, country: 'GB' }, ONE], { country })).toEqual(['a', 'COUNTRY', 'a']);
  });

  test('chooses the locations without a country if no location has the country of the client', () => {
    expect(choose(HANDBOOK, { country: 'fr', random: LAST })).toEqual(['c', 'WEIGHTED', 'bc']);
    expect(choose([UK, ONE], { country: 'fr' })).toEqual(['b', 'COUNTRY', 'b']);
  });

  test('has no effect if every location is in another country', () => {
    const locations = [
      { ...UK, weight: '1' },
      { id: 'b', country: 'de' },
    ];
    expect(choose(locations, { country: 'fr' })).toEqual(['a', 'WEIGHTED', 'ab']);
  });

  testTable([undefined, null])('has no effect if the country of the client is unknown', (country) => {
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
  ])('chooses the highest score. A missing or unreadable score is 0', (scores, candidates, method) => {
    expect(choose(scored(...scores))).toEqual([candidates[0], method, candidates]);
  });
});

test('a URL value does not count as a location without a country', () => {
  const urlValue = { id: 'u', url: 'yes', weight: '0' };
  expect(choose([UK, urlValue], { country: 'fr' })).toEqual(['a', 'WEIGHTED', 'au']);
  expect(choose([UK, ONE, urlValue], { country: 'fr' })).toEqual(['b', 'COUNTRY', 'b']);
});

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
])(
  'methods apply in their order, unknown methods are skipped, and a random choice comes last',
  (chooseBy, choice) => {
    const request = { locatt: ['id:c'], country: 'gb', chooseBy: chooseBy.split(',') };
    expect(choose(HANDBOOK, request)).toEqual(choice);
  },
);

describe('the random choice', () => {
  const weighted = (...weights: string[]) => weights.map((weight, n) => ({ id: 'abc'[n] ?? '', weight }));

  testTable([
    [weighted('0', '1', '1'), 'bc'],
    [weighted('-1', '1', '0.5'), 'bc'],
    [weighted('0', '0', '0'), 'abc'],
    [weighted('-1', '0', '-2'), 'abc'],
    [weighted('0', '1', '0'), 'b'],
  ])(
    'excludes locations with a weight of 0 or less, unless all locations have such a weight',
    (locations, candidates) => {
      expect(choose(locations)).toEqual([candidates[0], 'WEIGHTED', candidates]);
      expect(choose(locations, { random: LAST })).toEqual([candidates.at(-1), 'WEIGHTED', candidates]);
    },
  );

  testTable([
    [weighted('0', '1', '1'), { b: 0.5, c: 0.5 }],
    [weighted('1', '3'), { a: 0.25, b: 0.75 }],
    [weighted('0', '-5'), { a: 0.5, b: 0.5 }],
  ])('is in proportion to the weights', (locations, shares) => {
    const counts = tally(locations, 10_000);
    expect(new Set(Object.keys(counts))).toEqual(new Set(Object.keys(shares)));
    for (const [id, share] of Object.entries(shares)) {
      expect(Math.abs((counts[id] ?? 0) / 10_000 / share - 1)).toBeLessThan(0.05);
    }
  });
});

test('many requested attributes are matched in linear time', () => {
  const names = Array.from({ length: 62 }, (_, n) => `a${n}`);
  const attributes = Object.fromEntries(names.map((name) => [name, 'x']));
  const locations = Array.from({ length: 1_000 }, (_, n) => ({ id: String(n), ...attributes }));
  const locatt = Array.from({ length: 150_000 }, (_, n) => `a${n % 62}:x`);
  expect(choose(locations, { locatt: [...locatt, 'id:8', 'id:7'] })).toEqual(['8', 'LOCATT', '8']);
});
