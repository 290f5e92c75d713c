// The licence of every run-time package allows to pass the package on under MIT terms.
import { readFileSync } from 'node:fs';

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

// SPDX: "(MIT OR GPL-2.0)" leaves the choice to us, "MIT AND BSD-3-Clause" requires both.
function isAllowed(expression) {
  const choices = expression.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence.trim())));
}

// "" is the project itself; `dev` marks packages for development alone.
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const packages = Object.entries(lock.packages).filter(
  ([path, entry]) => path !== '' && !entry.dev && !entry.link,
);
const refused = packages.filter(([, entry]) => !isAllowed(String(entry.license ?? 'no licence stated')));

if (refused.length > 0) {
  const lines = refused.map(([path, entry]) => {
    const name = path.replace(/^.*node_modules\//, '');
    return `${name}@${entry.version}: ${entry.license ?? 'no licence stated'}`;
  });
  console.error(
    `Run-time packages whose licence is not in the list of scripts/check-licences.mjs:\n${lines.join('\n')}`,
  );
  process.exit(1);
}
console.log(`Licences: all ${packages.length} run-time packages are MIT-compatible.`);
