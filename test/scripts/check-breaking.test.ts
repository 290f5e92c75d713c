// The changes of the schema that stop a release.

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

/** The levels of the changes if `other` replaces `text` in the released schema. */
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
  ['a removed field before its announced day', /going: .*/, ''],
  ['a removed deprecated field without a day', 'undated: Int @deprecated', ''],
  ['a removed key', '@key(fields: "name")', ''],
  ['a changed key', '@key(fields: "name")', '@key(fields: "suffix")'],
  ['a field that is no longer shareable', '@shareable }', '}'],
  ['a newly hidden field', 'suffix: String', 'suffix: String @inaccessible'],
  ['a deprecation without a day', 'name: String!', 'name: String! @deprecated(reason: "Ask id.")'],
  [
    'a deprecation with a day less than a year ahead',
    'name: String!',
    'name: String! @deprecated(reason: "Goes on 2027-11-20.")',
  ],
])('%s is a breaking change', async (_what, text, other) => {
  expect(await levels(text, other)).toContain('BREAKING');
});

test.each([
  ['a new field', 'name: String!', 'name: String! prefix: String!'],
  ['a new field that is hidden', 'name: String!', 'name: String! ref: String! @inaccessible'],
  ['a new type', 'input Parameters', 'type Agency @key(fields: "name") { name: String! } input Parameters'],
  ['a new enum value', 'FOUND', 'FOUND UNKNOWN'],
  ['a new key', '@key(fields: "name")', '@key(fields: "name") @key(fields: "suffix")'],
  ['an optional argument', 'input: String!', 'input: String!, form: String'],
  ['a field that becomes non-null', 'suffix: String', 'suffix: String!'],
  ['a removed field on its announced day', /gone: .*/, ''],
  ['a removed enum value after its day', / LOST .*"\)/, ''],
  [
    'a deprecation with a day a year ahead',
    'name: String!',
    'name: String! @deprecated(reason: "Goes on 2027-11-21.")',
  ],
])('%s is not a breaking change', async (_what, text, other) => {
  const found = await levels(text, other);
  expect(found.length).toBeGreaterThan(0);
  expect(found).not.toContain('BREAKING');
});
