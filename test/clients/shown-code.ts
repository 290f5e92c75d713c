// Runs the code that docs/clients.md shows.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import ts from 'typescript';

const page = readFileSync(fileURLToPath(new URL('../../docs/clients.md', import.meta.url)), 'utf8');

/** The first block of a language below a text of the page. */
export function shownBlock(text: string, language: 'ts' | 'sh'): string {
  const start = page.indexOf(text);
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page.slice(start))?.[1];
  if (start < 0 || block === undefined)
    throw new Error(`docs/clients.md shows no ${language} below "${text}".`);
  return block;
}

/** The exports of the first module below a text of the page. `modules` are its imports, by their names. */
export function runShown<Exports>(text: string, modules: Readonly<Record<string, unknown>>): Exports {
  const { outputText } = ts.transpileModule(shownBlock(text, 'ts'), {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  });
  const require = (name: string): unknown => {
    if (!(name in modules))
      throw new Error(`docs/clients.md imports ${name}, which the test does not provide.`);
    return modules[name];
  };
  const exports = {};
  compileFunction(outputText, ['require', 'exports'])(require, exports);
  return exports as Exports;
}
