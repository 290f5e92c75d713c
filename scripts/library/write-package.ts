// Writes the folder for `npm pack` of the package doi-names: src/doi as ES modules with types, and its documents.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The subpaths of the package, and their files in src/doi. */
export const ENTRIES = { '.': 'doi-names', './lookalikes': 'lookalikes' } as const;

/** The library of workers, which pages, Deno and Bun also have. */
const PLATFORM: readonly string[] = ['lib.es2023.d.ts', 'lib.es2024.string.d.ts', 'lib.webworker.d.ts'];

/** Replaces the folder. The types are not checked: see `platformFaults`. */
export function writePackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'data'), { recursive: true });
  // TypeScript rewrites the imports of modules, but not those of declarations.
  programOf({
    lib: ['lib.es2023.d.ts'],
    noCheck: true,
    noEmit: false,
    declaration: true,
    outDir: folder,
  }).emit(undefined, (path, text) => {
    const isTypes = path.endsWith('.d.ts');
    ts.sys.writeFile(path, isTypes ? text.replaceAll(/(?<=from '\.[^']*)\.ts(?=')/g, '.js') : text);
  });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  for (const [from, to] of [
    ['scripts/library/README.md', 'README.md'],
    ['LICENSE', 'LICENSE'],
    ['data/unicode-license.txt', 'data/unicode-license.txt'],
  ] as const) {
    copyFileSync(join(root, from), join(folder, to));
  }
}

/** The compiler's messages on code that needs more than browsers and workers have; '': there is none. */
export function platformFaults(): string {
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(programOf({ lib: [...PLATFORM], noEmit: true })), {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  });
}

function programOf(options: ts.CompilerOptions): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const base = ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options;
  const rootDir = join(root, 'src/doi');
  const entries = Object.values(ENTRIES).map((name) => join(rootDir, `${name}.ts`));
  return ts.createProgram(entries, { ...base, types: [], rootDir, ...options });
}

function manifest(): object {
  const { version, license, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Readonly<Record<'version' | 'license' | 'engines', unknown>>;
  return {
    name: 'doi-names',
    version,
    description: 'Reads, writes, compares and finds DOI names, by the rules of the DOI documents.',
    keywords: ['doi', 'parse', 'normalize', 'citation', 'identifier'],
    license,
    type: 'module',
    sideEffects: false,
    exports: Object.fromEntries(
      Object.entries(ENTRIES).map(([subpath, name]) => [
        subpath,
        { types: `./${name}.d.ts`, default: `./${name}.js` },
      ]),
    ),
    engines,
  };
}
