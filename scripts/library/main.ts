// `npm run library [folder]` writes the package doi-names into dist-library/, or the folder, and prints its sizes.
// With `--check` it compares the public API with api.txt beside this file, and with `--write-api` it writes that file.

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publicApi } from './public-api.ts';
import { sizesOf } from './sizes.ts';
import { platformFaults, writePackage } from './write-package.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, 'write-api': { type: 'boolean' } },
});
const folder = resolve(positionals[0] ?? 'dist-library');
const snapshot = new URL('api.txt', import.meta.url);

writePackage(folder);
const faults = platformFaults();
if (faults !== '') {
  console.error(`src/doi uses what browsers and workers lack:\n${faults}`);
  process.exitCode = 1;
}
const api = publicApi(folder);
if (values['write-api']) writeFileSync(snapshot, api);
if (values.check) checkApi();
else await printSizes();

function checkApi(): void {
  if (api === readFileSync(snapshot, 'utf8')) return;
  console.error(
    'The public API of doi-names is not what scripts/library/api.txt says. If that is meant, run `npm run library -- --write-api`, and describe the change in CHANGELOG.md.',
  );
  process.exitCode = 1;
}

async function printSizes(): Promise<void> {
  console.log(`${folder}: minified, gzip -9, in kB of 1,000 bytes`);
  for (const { title, kb, mostKb } of await sizesOf(folder)) {
    console.log(`  ${title.padEnd(40)} ${kb.toFixed(2).padStart(6)}  at most ${mostKb}`);
    if (kb > mostKb) process.exitCode = 1;
  }
}
