// Precision and recall over a smaller corpus than the corpus of `npm run corpus`.

import { describe, expect, test } from 'vitest';
import { dirtyEntries, scoreDirty } from '../../checks/corpus/dirty.ts';
import { generatedTexts, spacedOutTexts, temptingTexts } from '../../checks/corpus/generated.ts';
import { fromMarked, hardCases, OURS, score } from '../../checks/corpus/score.ts';
import { createRandom } from '../../checks/corpus/texts.ts';

describe('findDois', () => {
  test('finds nearly all names of generated texts, and nearly no other text', () => {
    const { precision, recall } = score(OURS, generatedTexts(createRandom(1), 600));
    expect(precision).toBeGreaterThanOrEqual(0.99);
    expect(recall).toBeGreaterThanOrEqual(0.99);
  });

  test('finds no name in texts that only resemble names', () => {
    expect(score(OURS, temptingTexts(createRandom(1), 300)).failures).toEqual([]);
  });

  test('finds nearly all names of the hard cases', () => {
    const texts = hardCases();
    expect(texts.length).toBeGreaterThanOrEqual(300);
    const { precision, recall } = score(OURS, texts);
    expect(precision).toBeGreaterThanOrEqual(0.97);
    expect(recall).toBeGreaterThanOrEqual(0.97);
  });

  test('repairs names with spaces between all characters', () => {
    const texts = spacedOutTexts(createRandom(1), 600);
    const { precision, recall } = score(OURS, texts);
    // A finder that does not join the characters reaches 0.12 and 0.03.
    expect(precision).toBeGreaterThanOrEqual(0.5);
    expect(recall).toBeGreaterThanOrEqual(0.25);
  });
});

test('nearly all dirty entries give the intended name, as the result or as a suggestion', () => {
  const { served, wronglyOffered } = scoreDirty(dirtyEntries(createRandom(1), 900));
  expect(served).toBeGreaterThanOrEqual(0.97);
  expect(wronglyOffered).toBeLessThanOrEqual(0.005);
});

describe('the judge', () => {
  const text = fromMarked('⟦10.1000/A⟧ and ⟦10.1000/a&amp;b¦10.1000/a&b⟧', '');

  test('reads marked names', () => {
    expect(text.text).toBe('10.1000/A and 10.1000/a&amp;b');
    expect(text.names).toEqual([
      { name: '10.1000/A', start: 0, end: 9 },
      { name: '10.1000/a&b', start: 14, end: 29 },
    ]);
  });

  test('counts missed names and wrong names', () => {
    const half = { title: '', find: () => [{ name: '10.1000/a', start: 0, end: 9 }] };
    expect(score(half, [text])).toMatchObject({ precision: 1, recall: 0.5 });
    const wrong = { title: '', find: () => [{ name: '10.1000/a', start: 14, end: 23 }] };
    expect(score(wrong, [text])).toMatchObject({ precision: 0, recall: 0 });
  });
});
