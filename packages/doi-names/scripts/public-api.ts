// The exports of the package doi-names, as TypeScript prints them. A change of this text is a change for users.

import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The entries that promise not to change, and their files in src. `doi-names/parts` promises nothing. */
const ENTRIES = { '.': 'index', './lookalikes': 'lookalikes' } as const;

const FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

/** The exports of all entries of the package, sorted by name: inherited properties too, no comments. */
export function publicApi(): string {
  const fileOf = (name: string) => fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));
  const program = ts.createProgram(Object.values(ENTRIES).map(fileOf), {
    lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const lines = Object.entries(ENTRIES).map(([subpath, name]) => {
    const source = program.getSourceFile(fileOf(name));
    const entry = source && checker.getSymbolAtLocation(source);
    if (!entry) throw new Error(`${name}.ts exports nothing.`);
    const exported = checker.getExportsOfModule(entry).map((symbol) => described(symbol, checker));
    return [`doi-names${subpath.slice(1)}\n`, ...exported.sort(), ''];
  });
  return lines.flat().join('\n');
}

function described(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const { name } = symbol;
  const words = (type: ts.Type, flags = FORMAT) => checker.typeToString(type, undefined, flags);
  if (meant.flags & ts.SymbolFlags.Value) return `${name}: ${words(checker.getTypeOfSymbol(meant))}`;
  const type = checker.getDeclaredTypeOfSymbol(meant);
  if (meant.flags & ts.SymbolFlags.TypeAlias) {
    // The compiler's order of the members of a union depends on other files.
    const members = type.isUnion() ? type.types.map((member) => words(member)).sort() : null;
    return `type ${name} = ${members?.join(' | ') ?? words(type, FORMAT | ts.TypeFormatFlags.InTypeAlias)}`;
  }
  const properties = type.getProperties().map((property) => {
    const isOptional = property.flags & ts.SymbolFlags.Optional;
    return `  ${property.name}${isOptional ? '?' : ''}: ${words(checker.getTypeOfSymbol(property))}`;
  });
  return [`interface ${name}`, ...properties].join('\n');
}
