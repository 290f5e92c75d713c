// The files of the attacks on /jobs.

const LINES_OF_MEGABYTE = 500_000;
const KEYS = Object.fromEntries(Array.from({ length: 1_990 }, (_, n) => [`k${n}`, '']));
const MANY_KEYS = Object.fromEntries(Array.from({ length: 36_000 }, (_, n) => [n.toString(36), 0]));
const LONG_NAMES = `doi,${Array.from({ length: 1_990 }, (_, n) => `${n}${'x'.repeat(25)}`).join()}\n`;

/** Files that one client uploads ten times at once, and what it requests of them. */
export const FILES: Readonly<Record<string, readonly [query: string, file: string]>> = {
  'tiny quoted rows over two lines': ['fields=name', `doi\n${'"a\n"\n'.repeat(LINES_OF_MEGABYTE / 2)}`],
  'rows with a quotation mark out of place': [
    'fields=name',
    `doi\n${'a"b"\n'.repeat(LINES_OF_MEGABYTE / 2)}`,
  ],
  'tiny rows': ['fields=name', 'a\n'.repeat(LINES_OF_MEGABYTE)],
  'tiny rows, all quoted': ['fields=name', `doi\n${'"a"\n'.repeat(800_000)}`],
  'JSON Lines: 1,991 keys, then {}, to CSV': [
    'fields=name&format=csv&column=doi',
    `${JSON.stringify({ doi: 'a', ...KEYS })}\n${'{}\n'.repeat(20_000)}`,
  ],
  'CSV: 64 kB of names of columns, to JSON Lines': [
    'fields=name&format=jsonl',
    `${LONG_NAMES}${`a${','.repeat(1_990)}\n`.repeat(500)}`,
  ],
  'JSON Lines: 36,000 keys': ['fields=name&column=doi', `${JSON.stringify({ doi: 'a', ...MANY_KEYS })}\n`],
};

/** Its job outlasts what is done beside it. */
export const LONG_JOB = Array.from({ length: 100_000 }, (_, n) => `10.5555/${n}\n`).join('');
