// npm runs this for `npm install --global .` and for a dependency from Git: a checkout has no compiled `doi`, so it is
// built, with the packages that this takes. While the checkout itself is worked on, `npm run build` does that.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const {
  npm_config_global: isGlobal,
  npm_config_local_prefix: prefix,
  npm_execpath: npm,
  ...env
} = process.env;

if (npm !== undefined && (isGlobal === 'true' || !isSame(prefix ?? root, root))) {
  if (!existsSync(`${root}node_modules/typescript`)) run('ci', '--ignore-scripts', '--include=dev');
  run('run', 'build');
}

/** @param {string[]} args */
function run(...args) {
  // Where the outer npm installs to is not where this one does.
  for (const name of ['prefix', 'global_prefix', 'location', 'omit']) delete env[`npm_config_${name}`];
  execFileSync(process.execPath, [npm ?? '', ...args], { cwd: root, env, stdio: 'inherit' });
}

/** @param {string} a @param {string} b */
function isSame(a, b) {
  return a.replace(/\/+$/, '') === b.replace(/\/+$/, '');
}
