// The types are worth something only if they break: in a copy of this example whose schema lacks a field that
// the app uses, `npm run types` or `tsc` must fail and name the field. Prints what they say.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, print, visit } from 'graphql';

const example = fileURLToPath(new URL('..', import.meta.url));
const sdl = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'doi-front-end-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
// As deep as here, because doi-names is an alias of packages/doi-names.
const copy = join(folder, 'examples/front-end');
mkdirSync(copy, { recursive: true });
symlinkSync(join(example, '../../packages'), join(folder, 'packages'));
symlinkSync(join(example, '../../defer.graphql'), join(folder, 'defer.graphql'));
for (const part of ['src', 'scripts', 'package.json', 'tsconfig.json', 'vite.config.ts']) {
  cpSync(join(example, part), join(copy, part), { recursive: true });
}
symlinkSync(join(example, 'node_modules'), join(copy, 'node_modules'));

/** The exit status and the words of each step up to the first that fails. */
function checkTypes(schema) {
  const file = join(copy, 'schema.graphql');
  writeFileSync(file, schema);
  const steps = [
    ['node', 'scripts/write-schema.mjs', file],
    ['node_modules/.bin/gql.tada', 'generate-output'],
    ['node_modules/.bin/gql.tada', 'check'],
    ['node_modules/.bin/tsc'],
  ];
  let said = '';
  for (const [command, ...args] of steps) {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    said += `${stdout}${stderr}`;
    if (status !== 0) return { status, said };
  }
  return { status: 0, said };
}

function without(typeName, fieldName) {
  return print(
    visit(parse(sdl), {
      ObjectTypeDefinition: (type) => (type.name.value === typeName ? undefined : false),
      FieldDefinition: (field) => (field.name.value === fieldName ? null : undefined),
    }),
  );
}

const whole = checkTypes(sdl);
if (whole.status !== 0) {
  console.error(`The types do not fit schema.graphql as it is:\n${whole.said}`);
  process.exit(1);
}
for (const [type, field] of [
  ['DOIRedirect', 'chosenBy'],
  ['HandleRecord', 'stale'],
  ['DOIMatch', 'repaired'],
  ['DOIMetadata', 'title'],
]) {
  const { status, said } = checkTypes(without(type, field));
  if (status === 0 || !said.includes(field)) {
    console.error(`Without ${type}.${field} the types should have failed and named it, and said:\n${said}`);
    process.exit(1);
  }
  console.log(`Without ${type}.${field}, as it should be:\n${said.trim()}\n`);
}
