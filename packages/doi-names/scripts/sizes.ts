// `npm run sizes --workspace doi-names` builds the package and prints the kilobytes that a page loads for it.

import { fileURLToPath } from 'node:url';
import { sizesOf } from './bundle-sizes.ts';

console.log('minified, gzip -9, in kB of 1,000 bytes');
for (const { title, kb, mostKb } of await sizesOf(fileURLToPath(new URL('../', import.meta.url)))) {
  console.log(`  ${title.padEnd(40)} ${kb.toFixed(2).padStart(6)}  at most ${mostKb}`);
  if (kb > mostKb) process.exitCode = 1;
}
