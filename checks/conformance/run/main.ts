// npm run conformance: scores of this project and of other libraries. `-- --program COMMAND` measures another program,
// `-- --library NAME` prints what one library does wrong, `-- --write` writes docs/conformance.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installedVersion, installFromNpm, type Library, OTHERS, OURS } from '../libraries/libraries.ts';
import { createProgram } from './program.ts';
import { type Measured, printProgram, scoreTable, withTable, wrongExamples } from './report.ts';
import { type Played, play } from './score.ts';

const PAGE = new URL('../../../docs/conformance.md', import.meta.url);

const { values } = parseArgs({
  options: {
    program: { type: 'string' },
    library: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

if (values.program !== undefined) printProgram(values.program, await playProgram(values.program));
else if (values.library !== undefined) await printLibrary(values.library);
else await printAll();

async function playProgram(command: string): Promise<Played[]> {
  const program = createProgram(command);
  process.once('exit', program.stop);
  try {
    return await play((request) => program.send(request));
  } finally {
    program.stop();
    process.off('exit', program.stop);
  }
}

async function printLibrary(name: string): Promise<void> {
  installFromNpm();
  const library = [OURS, ...OTHERS].find((each) => each.name === name);
  if (!library)
    throw new Error(`${name} is none of ${[OURS, ...OTHERS].map((each) => each.name).join(', ')}.`);
  printProgram(name, await playProgram(library.command));
}

async function printAll(): Promise<void> {
  installFromNpm();
  const measured: Measured[] = [];
  const missing: Library[] = [];
  for (const library of [OURS, ...OTHERS]) {
    const version = installedVersion(library);
    if (version === null) missing.push(library);
    else measured.push({ library, version, played: await playProgram(library.command) });
  }
  const table = scoreTable(measured);
  console.log(table);
  if (missing.length > 0) {
    const packages = missing.map((library) => library.package).join(' ');
    console.log(`\nLeft out: ${missing.map(({ name }) => name).join(', ')}. apt-get install ${packages}`);
  }
  const wrong = wrongExamples(measured);
  if (wrong.length > 0)
    console.log(`\nThe example of the worst fault no longer shows it: ${wrong.join(', ')}`);
  if (values.write && missing.length + wrong.length > 0)
    throw new Error('docs/conformance.md is not written.');
  if (values.write) writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), table));
}
