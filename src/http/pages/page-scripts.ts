// The scripts that browsers get. `npm run bundle` writes them from the TypeScript files of the pages.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

// The folder dist/ is beside src/.
const BUNDLES = new URL('../../../dist/pages/', import.meta.url);

/**
 * The scripts of a page, by file name. Before a build, `first` is a script that reports this on the page.
 * @param page the folder of the page. Example: `inspector`
 * @param first the script that the page links to
 */
export function readPageScripts(page: string, first: string): ReadonlyMap<string, string> {
  const folder = new URL(`${page}/`, BUNDLES);
  if (!existsSync(new URL(first, folder))) return new Map([[first, NOT_BUILT]]);
  const names = readdirSync(folder).sort();
  return new Map(names.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
}

const NOT_BUILT =
  "document.body.prepend('The scripts of this page are not built. Run `npm run build` and restart the gateway.');\n";
