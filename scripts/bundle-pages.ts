// Bundles the scripts of the pages for browsers: `npm run bundle` writes them into dist/pages. A module that a page
// imports with `import()` becomes a file that browsers load later.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The first script of each page, by the folder of the page. */
const FIRST_SCRIPTS: Readonly<Record<string, string>> = {
  graphiql: 'bootstrap.ts',
  inspector: 'main.ts',
  'jobs-page': 'jobs.ts',
};

/** @param target the folder that gets one folder for each page */
export async function bundlePages(target: string = join(root, 'dist/pages')): Promise<void> {
  await Promise.all(
    Object.entries(FIRST_SCRIPTS).map(([page, script]) =>
      bundlePage(join(root, page, script), join(target, page)),
    ),
  );
}

async function bundlePage(script: string, folder: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [script],
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
    write: false,
  });
  await mkdir(folder, { recursive: true });
  // A gateway can start at the same time, so a file that has not changed is not written again.
  for (const { path, text } of outputFiles) {
    const previous = await readFile(path, 'utf8').catch(() => null);
    if (previous !== text) await writeFile(path, text);
  }
  const paths = outputFiles.map(({ path }) => path);
  for (const name of await readdir(folder)) {
    if (!paths.includes(join(folder, name))) await rm(join(folder, name));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePages();
