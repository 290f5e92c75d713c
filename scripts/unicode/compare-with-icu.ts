// npm run unicode:compare: our skeletons beside those of the ICU that is installed (libicu-dev and g++), for every
// code point that both know. Prints the differences and their reasons.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfusables, skeletonOf } from '../../packages/doi-names/src/skeleton.ts';

interface IcuRow {
  readonly code: number;
  readonly isIgnorable: boolean;
  readonly skeleton: string;
}

const folder = mkdtempSync(join(tmpdir(), 'icu-skeletons-'));
const program = join(folder, 'icu-skeletons');
const source = fileURLToPath(new URL('icu-skeletons.cpp', import.meta.url));
execFileSync('g++', ['-O2', '-o', program, source, '-licui18n', '-licuuc'], { stdio: 'inherit' });
const [versions = '', ...lines] = execFileSync(program, { encoding: 'utf8', maxBuffer: 100_000_000 })
  .trimEnd()
  .split('\n');
rmSync(folder, { recursive: true });

const rows = lines.map((line): IcuRow => {
  const [code = '', , isIgnorable, ...skeleton] = line.split(' ');
  return { code: Number.parseInt(code, 16), isIgnorable: isIgnorable === '1', skeleton: textOf(skeleton) };
});
const [icu, unicode] = versions.split(' ');
const known = new Map(rows.map((row) => [row.code, row]));

function textOf(codes: readonly string[]): string {
  return codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16))).join('');
}

function shown(text: string): string {
  const codes = Array.from(
    text,
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return codes.length === 0 ? 'nothing' : codes.join(' ');
}

/** Everything but private use and surrogates. */
const ASSIGNED = /[^\p{Cn}\p{Cs}]/u;

const same: number[] = [];
const newer: number[] = [];
const ignorable: number[] = [];
const different: string[] = [];
for (let code = 0; code <= 0x10ffff; code += 1) {
  const character = String.fromCodePoint(code);
  if (!ASSIGNED.test(character)) continue;
  const theirs = known.get(code);
  const ours = skeletonOf(character);
  if (theirs === undefined) newer.push(code);
  else if (theirs.skeleton === ours) same.push(code);
  else if (theirs.isIgnorable && ours === '') ignorable.push(code);
  else different.push(`| ${shown(character)} | ${shown(theirs.skeleton)} | ${shown(ours)} |`);
}

const mapped = newer.filter((code) => readConfusables().others.has(code));
const page = `# Skeletons beside ICU's

A small program, compiled with the ICU that is installed (\`apt-get install g++ libicu-dev\`), gets the skeleton of every assigned code point from \`uspoof_getSkeleton\`. Ours are of
Unicode 17.0 (scripts/unicode/confusables.txt), decomposed by Node ${process.versions.node} (Unicode ${process.versions['unicode']}); those beside them are of
ICU ${icu}, which has Unicode ${unicode}.

| assigned code points | how many | why |
|---|---|---|
| with the same skeleton | ${same.length} | |
| that ICU ${icu} does not know | ${newer.length}, ${mapped.length} of them mapped | they came after Unicode ${unicode} |
| that are default-ignorable | ${ignorable.length} | UTS #39 removes them since Unicode 15.1, which this ICU is older than |
| that are mapped differently | ${different.length} | confusables.txt was changed after Unicode ${unicode}: each is in the list below |

## Mapped differently

| code point | skeleton in ICU ${icu} | skeleton here |
|---|---|---|
${different.join('\n')}
`;
console.log(page);
