import { describe, expect, test } from 'vitest';
import { readCreators } from '../../src/works/creators.ts';
import { readWork } from '../../src/works/work.ts';
import { WORK_LIMITS } from '../../src/works/work-limits.ts';

test('a work without authors has its editors as creators', () => {
  const editor = [{ family: 'Beethoven', given: 'Ludwig', 'non-dropping-particle': 'van', suffix: 'Jr.' }];
  expect(readWork({ author: [], editor }).creators).toMatchObject([
    { name: 'Ludwig van Beethoven Jr.', given: 'Ludwig', family: 'van Beethoven', suffix: 'Jr.' },
  ]);
});

describe('a name of a creator', () => {
  const { creators, nameCharacters } = WORK_LIMITS;
  const nameOf = (literal: string) => readCreators([{ literal }])[0]?.name;

  test('is cut with an ellipsis if it is long', () => {
    expect(nameOf('a'.repeat(nameCharacters))).toBe('a'.repeat(nameCharacters));
    expect(nameOf('a'.repeat(nameCharacters + 1))).toBe(`${'a'.repeat(nameCharacters)}…`);
    const [{ name, suffix } = { name: '', suffix: '' }] = readCreators([
      { family: 'A', given: 'B', suffix: 'x'.repeat(5_000) },
    ]);
    expect([name.length, suffix?.length]).toEqual([nameCharacters + 5, nameCharacters + 1]);
  });

  test('has no commas at its ends', () => {
    expect(nameOf('Smith, ;,')).toBe('Smith');
    expect(nameOf(',;, ,')).toBeUndefined();
    expect(nameOf(',,,x')).toBe('x');
  });

  test('is left out after the maximum number of names', () => {
    expect(readCreators(Array.from({ length: creators + 1 }, () => 'A'))).toHaveLength(creators);
  });
});
