// `npm run check-api --workspace doi-names` compares the exports of the package with api.txt. `-- --write` writes api.txt.

import { readFileSync, writeFileSync } from 'node:fs';
import { publicApi } from './public-api.ts';

const snapshot = new URL('../api.txt', import.meta.url);
const api = publicApi();

if (process.argv.includes('--write')) {
  writeFileSync(snapshot, api);
} else if (api !== readFileSync(snapshot, 'utf8')) {
  console.error(
    'The public API of doi-names is not what api.txt says. If that is meant, run `npm run check-api --workspace doi-names -- --write`, and describe the change in CHANGELOG.md.',
  );
  process.exitCode = 1;
}
