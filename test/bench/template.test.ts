// The requests of a benchmark have the length of their template, and new names each time.

import { expect, test } from 'vitest';
import { createTemplate, RANDOM_NAME, REPEATED_NAME, SERIAL } from '../../bench/compare/template.ts';
import { names } from '../../bench/peers/data.mjs';

const known = new Set(names);
const made = (text: string, serial = 0): string => createTemplate(Buffer.from(text))(serial).toString();

test('each request has different names of the benchmark', () => {
  const template = createTemplate(Buffer.from(Array.from({ length: 20 }, () => RANDOM_NAME).join(',')));
  const requests = Array.from({ length: 50 }, (_, n) => template(n).toString());
  expect(new Set(requests).size).toBe(50);
  const drawn = requests.flatMap((request) => request.split(','));
  expect(drawn.filter((name) => !known.has(name))).toEqual([]);
  expect(new Set(drawn).size).toBeGreaterThan(500);
});

test('a repeated name in another form is the same name', () => {
  const [first = '', second] = made(`${RANDOM_NAME},doi:${REPEATED_NAME}`).split(',');
  expect(known.has(first)).toBe(true);
  expect(second).toBe(`doi:${first}`);
});

test('a serial number is as long as the mark that it replaces', () => {
  expect(made(`a${SERIAL}b`, 42)).toBe('a000000042b');
});
