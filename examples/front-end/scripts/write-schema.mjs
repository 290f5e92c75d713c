// Writes generated/schema.graphql, which the types are made from: the gateway's schema as its clients see it,
// without the directives that only a federated gateway reads, and with @defer, which the gateway adds when it runs.
//   node scripts/write-schema.mjs [another schema file]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buildSchema, printSchema } from 'graphql';

const source = process.argv[2] ?? new URL('../../../schema.graphql', import.meta.url);
const sdl = readFileSync(source, 'utf8');
const defer = readFileSync(new URL('../../../defer.graphql', import.meta.url), 'utf8');

// Definitions of federation may be linked instead of spelled out, hence assumeValidSDL.
const schema = buildSchema(/^directive @defer\b/m.test(sdl) ? sdl : `${sdl}\n${defer}\n`, {
  assumeValidSDL: true,
});
mkdirSync(new URL('../generated/', import.meta.url), { recursive: true });
writeFileSync(new URL('../generated/schema.graphql', import.meta.url), `${printSchema(schema)}\n`);
