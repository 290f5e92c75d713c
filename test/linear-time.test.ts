// Each reader of foreign text needs time in proportion to the length of the text, for any text.

import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  NAME_CHARACTERS,
  NAME_READERS,
  type Reader,
  TEXT_READERS,
  WORK_READERS,
} from './support/foreign-text-readers.ts';
import { hostileTexts } from './support/hostile-texts.ts';

/** In UTF-16 units. A body can be larger, but a quadratic reader already needs minutes for a text of this length. */
const TEXT_CHARACTERS = 200_000;
/** The limit for titles and references. */
const WORK_CHARACTERS = 10_000;
/** A faster reader is not measured again. A quadratic reader takes a hundred milliseconds and more. */
const SUSPICIOUS_MS = 25;
/** For four times the length, a linear reader needs four times as long, a quadratic reader sixteen times. */
const MAX_GROWTH = 8;

/** The system reports processor time in steps, so a shorter time can be reported as zero. */
const MIN_MS = 2;

/** Processor time, because a busy machine makes the time on the clock longer. */
function msFor(read: Reader, text: string): number {
  const start = process.cpuUsage();
  caught(() => read(text));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function caught(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

const texts = new Map<number, readonly string[]>();

function textsOf(characters: number): readonly string[] {
  const all = texts.get(characters) ?? hostileTexts(characters);
  texts.set(characters, all);
  return all;
}

/** The shortest of three measurements, because collecting garbage makes a measurement longer, never shorter. */
const shortestMs = (read: Reader, text: string): number =>
  Math.min(msFor(read, text), msFor(read, text), msFor(read, text));

/** The growth of the time between a quarter of the length and the length; the smaller of two measurements. */
function growthOf(read: Reader, at: number, characters: number): number {
  const [short = '', long = ''] = [characters / 4, characters].map((length) => textsOf(length)[at]);
  const measured = () => shortestMs(read, long) / Math.max(MIN_MS, shortestMs(read, short));
  const growth = measured();
  return growth > MAX_GROWTH ? Math.min(growth, measured()) : growth;
}

function slowTexts(read: Reader, characters: number): readonly object[] {
  return textsOf(characters).flatMap((text, at) => {
    const ms = msFor(read, text);
    if (ms < SUSPICIOUS_MS) return [];
    const growth = growthOf(read, at, characters);
    return growth > MAX_GROWTH ? [{ text: text.slice(0, 20), ms, growth }] : [];
  });
}

test.each(Object.entries(TEXT_READERS))('the time of %s grows in proportion to the text', (_, read) => {
  expect(slowTexts(read, TEXT_CHARACTERS)).toEqual([]);
});

test.each(Object.entries(WORK_READERS))('the time of %s grows in proportion to the title', (_, read) => {
  expect(slowTexts(read, WORK_CHARACTERS)).toEqual([]);
});

test.each(Object.entries(NAME_READERS))(
  'the time of %s grows in proportion to the length of a name',
  (_, read) => {
    expect(slowTexts(read, NAME_CHARACTERS)).toEqual([]);
  },
);

const FOLDERS = {
  'packages/doi-names/src': TEXT_CHARACTERS,
  'packages/doi-names/src/find': TEXT_CHARACTERS,
  'src/handle': TEXT_CHARACTERS,
  'src/works': WORK_CHARACTERS,
};

/** They throw for a text, because they take a parsed value. The parser of the value has a row. */
const TAKE_NO_TEXT: readonly string[] = [
  ...['aliasOf', 'canRedirect', 'cslAffiliations', 'cslKeyword', 'equivalenceClasses', 'expiresAtOf'],
  ...['gluedFormLength', 'handleThatIsNotDoi', 'insideOfPair', 'isForPrograms', 'jsonIn', 'layoutOf'],
  'longest',
  ...['madeBy', 'namedWork', 'readLocationTemplates', 'readNamespace', 'relationDoi', 'timestampOf'],
  ...['trustedValues', 'urlsOf'],
];
/** They read files of the operator and tables of the gateway, when the process starts. */
const READ_TRUSTED_TEXT = ['readDataTypes', 'decodeConfusables', 'asciiTable', 'encoderOf'];

/** Their results are many times as long as the text, so most of their time is for memory. */
const WITH_LONG_RESULTS: readonly string[] = ['forms', 'codePoints', 'utf8Hex'];

interface Exported {
  readonly name: string;
  readonly read: Reader;
  readonly characters: number;
}

/** The exported functions of a folder that take one argument. The folders have no side effects when they are imported. */
async function exportedBy(folder: string, characters: number): Promise<Exported[]> {
  const files = readdirSync(new URL(`../${folder}`, import.meta.url)).filter(
    (file) => file.endsWith('.ts') && file !== 'parts.ts',
  );
  const modules = await Promise.all(files.map((file) => import(/* @vite-ignore */ `../${folder}/${file}`)));
  return modules
    .flatMap((module) => Object.entries<unknown>(module))
    .filter((entry): entry is [string, Reader] => typeof entry[1] === 'function' && entry[1].length === 1)
    .map(([name, read]) => ({
      name,
      read,
      characters: WITH_LONG_RESULTS.includes(name) ? WORK_CHARACTERS : characters,
    }))
    .filter(({ name }) => !KNOWN.has(name));
}

const KNOWN = new Set([
  ...[TEXT_READERS, WORK_READERS, NAME_READERS].flatMap(Object.keys),
  ...READ_TRUSTED_TEXT,
]);
const exported = (await Promise.all(Object.entries(FOLDERS).map((row) => exportedBy(...row)))).flat();

const takesText = ({ read }: Exported): boolean => !(caught(() => read('a')) instanceof TypeError);

test.each(exported.filter(takesText))(
  'the time of $name grows in proportion to the text',
  ({ read, characters }) => {
    expect(slowTexts(read, characters)).toEqual([]);
  },
);

test('each exported function of one argument takes a text, has a row, or is listed', () => {
  const others = exported.filter((one) => !takesText(one)).map(({ name }) => name);
  expect(others.sort()).toEqual([...TAKE_NO_TEXT].sort());
});
