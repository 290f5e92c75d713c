// npm run unicode: writes the gateway's copies of Unicode's data. Run `npm ci` in this folder first.

import { readFileSync, writeFileSync } from 'node:fs';
import { characterNames, type NameOf } from './character-names.ts';
import { confusablesModule } from './confusables-module.ts';

/** A package of this folder alone, so that the compiler does not look for it. */
const NAMES: string = 'unicode-name';

function write(path: string, text: string): void {
  writeFileSync(new URL(`../../${path}`, import.meta.url), text);
  console.log(`${path}: ${Buffer.byteLength(text)} bytes.`);
}

write(
  'packages/doi-names/src/confusables-data.ts',
  confusablesModule(readFileSync(new URL('confusables.txt', import.meta.url), 'utf8')),
);

const { unicodeBaseName }: { unicodeBaseName: NameOf } = await import(NAMES);
const HEAD = `# The names of the graphic characters of Unicode ${process.versions['unicode']}, made by \`npm run unicode\` from the package unicode-name.
# Copyright © 1991-2025 Unicode, Inc. SPDX-License-Identifier: Unicode-3.0, see data/unicode-license.txt.
`;
write('data/unicode-names.txt', HEAD + characterNames(unicodeBaseName));
