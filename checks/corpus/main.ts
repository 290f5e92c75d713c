// npm run corpus: measures how well findDois finds DOI names in texts, and how well the parser reads a list with everyday
// defects.
//   -- --failures      also prints the failures        --write FOLDER  writes the corpus for other programs
//   -- --growth        prints times for texts of 1 to 10 MB        --seed N  generates other texts

import { mkdirSync, writeFileSync } from 'node:fs';
import { readFlags } from '../../bench/command.ts';
import { printTable } from '../../bench/table.ts';
import { brokenNames, ordinaryTexts, scoreBroken } from './broken.ts';
import { dirtyEntries, scoreDirty } from './dirty.ts';
import { generatedTexts, spacedOutTexts, temptingTexts } from './generated.ts';
import { type CorpusText, hardCases, OURS, otherFinders, reportedTexts, score } from './score.ts';
import { createRandom } from './texts.ts';

const { seed, failures, growth, write } = readFlags({ seed: 11, failures: false, growth: false, write: '' });
const corpus: Readonly<Record<string, readonly CorpusText[]>> = {
  generated: [...generatedTexts(createRandom(seed), 5_000), ...temptingTexts(createRandom(seed), 1_000)],
  hard: hardCases(),
  reported: reportedTexts(),
  'spaced out': spacedOutTexts(createRandom(seed), 2_000),
};

/** Each is repeated to make a text of a given size. */
const UNITS = [
  ...['10.', '(', '.', 'doi:', '&amp;', '10.1/', '{', '10.1/a(', '<', 'https://doi.org/'],
  'See 10.1000/182, p. 3. ',
];
const MEGABYTES = [1, 2, 5, 10];

if (write !== '') writeCorpus(write);
else if (growth) printGrowth();
else printScores();

function printScores(): void {
  const finders = [OURS, ...otherFinders()];
  for (const [part, texts] of Object.entries(corpus)) {
    const scores = finders.map((finder) => ({ finder, ...score(finder, texts) }));
    printTable(
      `${part}: ${texts.length} texts, ${texts.reduce((sum, { names }) => sum + names.length, 0)} names, seed ${seed}`,
      ['finder', 'precision', 'recall'],
      scores.map(({ finder, precision, recall }) => [finder.title, precision.toFixed(4), recall.toFixed(4)]),
    );
    if (failures) for (const failure of scores[0]?.failures ?? []) console.log(JSON.stringify(failure));
  }
  const broken = scoreBroken(brokenNames(createRandom(seed), 4_000));
  const ordinary = scoreBroken(ordinaryTexts(createRandom(seed), 20_000));
  printTable(
    'broken: 4000 names that a line break divides, and 20000 references before other lines',
    ['whole', 'whole or offered', 'wrongly joined in ordinary text'],
    [[broken.whole.toFixed(4), broken.served.toFixed(4), `${ordinary.joined}`]],
  );
  if (failures) for (const failure of broken.failures) console.log(JSON.stringify(failure));
  const dirty = scoreDirty(dirtyEntries(createRandom(seed), 5_000));
  printTable(
    'dirty: a list of 5000',
    ['read or offered', 'read', 'wrongly offered'],
    [[dirty.served.toFixed(4), dirty.read.toFixed(4), dirty.wronglyOffered.toFixed(4)]],
  );
  if (failures) for (const failure of dirty.failures) console.log(JSON.stringify(failure));
}

function writeCorpus(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [part, texts] of Object.entries(corpus)) {
    const lines = texts.map((text) => `${JSON.stringify(text)}\n`).join('');
    writeFileSync(`${folder}/${part.replaceAll(' ', '-')}.jsonl`, lines);
  }
  console.log(`${Object.keys(corpus).join(', ')} in ${folder}`);
}

function printGrowth(): void {
  printTable(
    'findDois: milliseconds of processor time',
    ['text', ...MEGABYTES.map((size) => `${size} MB`)],
    UNITS.map((unit) => [JSON.stringify(unit), ...MEGABYTES.map((size) => processorMs(unit, size))]),
  );
}

function processorMs(unit: string, megabytes: number): number {
  const text = unit.repeat(Math.floor((megabytes * 1_000_000) / unit.length));
  const before = process.cpuUsage();
  OURS.find(text);
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1_000);
}
