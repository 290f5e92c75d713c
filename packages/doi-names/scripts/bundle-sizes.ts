// The bytes that a page loads for the package doi-names: bundled and minified by esbuild, compressed by gzip -9.

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** A bundle of some imports, and its limit in kilobytes (1,000 bytes). */
interface Bundle {
  readonly title: string;
  readonly imports: readonly string[];
  /** imports whose bytes do not count: the page has them already */
  readonly beside?: readonly string[];
  readonly mostKb: number;
}

const MAIN = (...names: readonly string[]): string => `{ ${names.join(', ')} } from 'doi-names'`;
const DATA = `{ lookalikes } from 'doi-names/lookalikes'`;

const BUNDLES: readonly Bundle[] = [
  { title: 'parse', imports: [MAIN('parse')], mostKb: 8 },
  { title: 'parse and forms', imports: [MAIN('parse', 'forms')], mostKb: 8 },
  {
    title: 'find, beside these',
    imports: [MAIN('parse', 'forms', 'find')],
    beside: [MAIN('parse', 'forms')],
    // A third are its tables: addresses of publishers, escapes, and what stands behind a name.
    mostKb: 15,
  },
  {
    title: 'warnings, beside parse and forms',
    imports: [MAIN('parse', 'forms', 'warnings')],
    beside: [MAIN('parse', 'forms')],
    mostKb: 8,
  },
  {
    title: 'equivalence, beside parse and forms',
    imports: [MAIN('parse', 'forms', 'equivalence')],
    beside: [MAIN('parse', 'forms')],
    mostKb: 10,
  },
  { title: 'lookalikes, the data', imports: [DATA], mostKb: 26 },
  {
    title: 'all of it',
    imports: [MAIN('parse', 'forms', 'equivalence', 'warnings', 'find'), DATA],
    mostKb: 50,
  },
];

export interface Size {
  readonly title: string;
  readonly kb: number;
  readonly mostKb: number;
}

/** Of the package in this folder. Rejects with esbuild's message if the bundle fails. */
export function sizesOf(folder: string): Promise<Size[]> {
  return Promise.all(
    BUNDLES.map(async ({ title, imports, beside, mostKb }) => {
      const [bytes, bytesBeside] = await Promise.all([
        bytesOf(folder, imports),
        beside ? bytesOf(folder, beside) : 0,
      ]);
      return { title, kb: (bytes - bytesBeside) / 1_000, mostKb };
    }),
  );
}

async function bytesOf(folder: string, imports: readonly string[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: imports.map((line) => `export ${line};`).join('\n'), resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // The paths of the gateway's tsconfig.json would lead to its sources.
    tsconfigRaw: '{}',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}
