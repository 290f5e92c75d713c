import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import * as library from '../src/index.ts';
import { lookalikes } from '../src/lookalikes.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = '']) => code);

/** Turns an import into a constant, and `value; // literal` into a comparison. */
function runnable(code: string): string {
  return code
    .replaceAll(/^import (\{.*\}) from 'doi-names';$/gm, 'const $1 = library;')
    .replaceAll(/^import \{ lookalikes \} from 'doi-names\/lookalikes';$/gm, '')
    .replaceAll(/^(.*); \/\/ (.*)$/gm, 'compare($1, $2);');
}

describe('the README of the package', () => {
  test('has an example of each function', () => {
    for (const name of Object.keys(library)) expect(blocks.join()).toMatch(new RegExp(`\\b${name}\\(`));
  });

  testTable(blocks)('shows the values that the functions return', (code) => {
    let compared = 0;
    const compare = (value: unknown, shown: unknown) => {
      compared += 1;
      expect(value).toEqual(shown);
    };
    const run = new Function('library', 'lookalikes', 'compare', `'use strict';\n${runnable(code)}`);
    run(library, lookalikes, compare);
    expect(compared).toBe(code.match(/; \/\/ /g)?.length);
  });
});
