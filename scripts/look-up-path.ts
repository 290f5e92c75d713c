// npm run look-up-path: counts the files and lines that an uncached look-up needs, from the socket to undici.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** src/app/ builds each step and passes it to the step before. So imports alone do not join the steps. */
const STEPS = [
  'src/http/connection/gateway-server.ts',
  'src/http/graphql/graphql.ts',
  'src/loaders/loaders.ts',
  'src/cache/cached-directory.ts',
  'src/upstream/proxy.ts',
];
/** The look-up of a record does not need these: types, works, text, pages, responses in parts. */
const LEFT_OUT = /\/(schema|metadata|doi\/find|pages|incremental)\//;

function isTypeOnly({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (!clause) return false;
  const names = clause.namedBindings;
  const isEachType =
    names !== undefined && ts.isNamedImports(names) && names.elements.every((e) => e.isTypeOnly);
  return clause.isTypeOnly || (!clause.name && isEachType);
}

/** The files that a file imports values from. */
function importsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements
    .filter(ts.isImportDeclaration)
    .filter((declaration) => !isTypeOnly(declaration))
    .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolve(dirname(file), specifier))
    .filter(existsSync);
}

const files = new Set(STEPS.map((path) => resolve(ROOT, path)));
// The loop also visits the files that it adds.
for (const file of files) {
  for (const imported of importsOf(file)) if (!LEFT_OUT.test(relative(ROOT, imported))) files.add(imported);
}
const lines = [...files].reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
console.log(`${files.size} files, ${lines} lines`);
if (process.argv.includes('--list')) for (const file of [...files].sort()) console.log(relative(ROOT, file));
