// Which changes of the schema stop a release.

import { expect, test } from 'vitest';
import { schemaChanges } from '../../scripts/check-breaking.ts';

const TODAY = '2026-11-21';

const RELEASED = `
  directive @inaccessible on FIELD_DEFINITION
  directive @key(fields: String!) repeatable on OBJECT
  directive @shareable on FIELD_DEFINITION
  type Query {
    doi(input: String!): DOI
    gone: Int @deprecated(reason: "Ask doi. Goes on 2026-11-21.")
    going: Int @deprecated(reason: "Ask doi. Goes on 2026-11-22.")
    undated: Int @deprecated
  }
  type DOI @key(fields: "id") @key(fields: "name") { id: ID! name: String! suffix: String @shareable }
  enum Status { FOUND LOST @deprecated(reason: "Goes on 2026-01-01.") }
  input Parameters { country: String }
`;

/** The levels of what changes when some text becomes another. */
async function levels(text: string | RegExp, other: string): Promise<string[]> {
  const current = RELEASED.replace(text, other);
  expect(current).not.toBe(RELEASED);
  return (await schemaChanges(RELEASED, current, TODAY)).map(({ level }) => level);
}

test.each([
  ['a field that is removed', / suffix: String @shareable/, ''],
  ['a type that becomes nullable', 'id: ID!', 'id: ID'],
  ['an argument that becomes required', 'country: String', 'country: String!'],
  ['an enum value that is removed', 'FOUND', ''],
  ['what was announced to go, before its day', /going: .*/, ''],
  ['what was announced to go without a day', 'undated: Int @deprecated', ''],
  ['a key that is withdrawn', '@key(fields: "name")', ''],
  ['a key that becomes another', '@key(fields: "name")', '@key(fields: "suffix")'],
  ['a field that is shareable no more', '@shareable }', '}'],
  ['a field that is hidden', 'suffix: String', 'suffix: String @inaccessible'],
  ['a deprecation without a day', 'name: String!', 'name: String! @deprecated(reason: "Ask id.")'],
  ['one with a day too soon', 'name: String!', 'name: String! @deprecated(reason: "Goes on 2027-11-20.")'],
])('%s breaks', async (_what, text, other) => {
  expect(await levels(text, other)).toContain('BREAKING');
});

test.each([
  ['a new field', 'name: String!', 'name: String! prefix: String!'],
  ['a new field that is hidden', 'name: String!', 'name: String! ref: String! @inaccessible'],
  ['a new type', 'input Parameters', 'type Agency @key(fields: "name") { name: String! } input Parameters'],
  ['a further enum value', 'FOUND', 'FOUND UNKNOWN'],
  ['a further key', '@key(fields: "name")', '@key(fields: "name") @key(fields: "suffix")'],
  ['an optional argument', 'input: String!', 'input: String!, form: String'],
  ['a field that is null no more', 'suffix: String', 'suffix: String!'],
  ['what was announced to go, on its day', /gone: .*/, ''],
  ['an enum value after its day', / LOST .*"\)/, ''],
  ['a deprecation a year ahead', 'name: String!', 'name: String! @deprecated(reason: "Goes on 2027-11-21.")'],
])('%s does not break', async (_what, text, other) => {
  const found = await levels(text, other);
  expect(found.length).toBeGreaterThan(0);
  expect(found).not.toContain('BREAKING');
});
