// npm run unicode:measure: how large the look-alike data is, how long it takes to load, and the time for a name.

import { readFileSync, statSync } from 'node:fs';
import { CONFUSABLES } from '../../packages/doi-names/src/confusables-data.ts';
import { lookalikes } from '../../packages/doi-names/src/lookalikes.ts';
import { firstMixedWord } from '../../packages/doi-names/src/scripts.ts';
import { decodeConfusables, plainSkeletonOf } from '../../packages/doi-names/src/skeleton.ts';

const file = (path: string) => new URL(`../../${path}`, import.meta.url);

/** Microseconds of processor time a call, of the fastest of some rounds: other processes make it only slower. */
function microsecondsOf(call: () => unknown, calls: number, rounds = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < calls; at += 1) call();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / calls);
  }
  return least;
}

const loading = microsecondsOf(() => decodeConfusables(CONFUSABLES), 1, 1) / 1_000;
console.log(
  `packages/doi-names/src/confusables-data.ts: ${statSync(file('packages/doi-names/src/confusables-data.ts')).size} bytes`,
);
console.log(`read when it is first needed: ${loading.toFixed(1)} ms`);

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'real names': readFileSync(file('test/fixtures/hard-dois.txt'), 'utf8').trim().split('\n'),
  'names with imitations': [
    '10.1000/p\u0430ypal-2020.01.0023',
    '10.17167/mksz.2017.2.129\u2013155',
    '10.26321/\u00c1.GUTI\u00c9RREZ.ZARZA.02.2018.03',
  ],
};

for (const [what, names] of Object.entries(NAMES)) {
  const each = (change: (name: string) => unknown) =>
    microsecondsOf(() => names.forEach(change), Math.ceil(100_000 / names.length)) / names.length;
  const nfc = each((name) => name.normalize('NFC'));
  const rows: readonly (readonly [string, number])[] = [
    ["normalize('NFC')", nfc],
    ['skeleton for comparing', each(plainSkeletonOf)],
    ['both warnings', each((name) => lookalikes.firstImitation(name) + firstMixedWord(name))],
  ];
  console.log(`\n${what}, a name:`);
  for (const [row, cost] of rows) {
    console.log(`  ${row}: ${cost.toFixed(2)} µs, ${(cost / nfc).toFixed(1)} times`);
  }
}
