// npm runs this for `npm install --global .` and for a dependency from Git. A checkout has no compiled `doi`: this script
// installs the packages for the build and builds it. In a working checkout it does nothing.

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
  // The outer npm installs into another folder.
  for (const name of ['prefix', 'global_prefix', 'location', 'omit']) delete env[`npm_config_${name}`];
  execFileSync(process.execPath, [npm ?? '', ...args], { cwd: root, env, stdio: 'inherit' });
}

/** @param {string} a @param {string} b */
function isSame(a, b) {
  return a.replace(/\/+$/, '') === b.replace(/\/+$/, '');
}
