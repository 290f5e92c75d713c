// Lists the changes of the schema since docs/released-schema.graphql, and fails if clients or catalogs would break:
// `npm run breaking`. A release copies schema.graphql to this file.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Change, CriticalityLevel, diff, type Rule } from '@graphql-inspector/core';
import {
  buildSchema,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

export interface SchemaChange {
  /** DANGEROUS breaks only clients without a default branch */
  readonly level: 'BREAKING' | 'DANGEROUS' | 'NON_BREAKING';
  readonly message: string;
}

/** The changes between two schemas. @param today such as `2026-11-21`: a field may go after its announced day */
export async function schemaChanges(
  released: string,
  current: string,
  today: string,
): Promise<SchemaChange[]> {
  const rules = [subgraphs, removals(today), announcements(today)];
  const changes = await diff(buildSchema(released), buildSchema(current), rules);
  return changes.map(({ criticality: { level }, message }) => ({ level, message }));
}

/** Changes that break other subgraphs. The library calls them dangerous. */
const subgraphs: Rule = ({ changes }) =>
  changes.map((change) => (breaksSubgraphs(change) ? judged(change, CriticalityLevel.Breaking) : change));

function breaksSubgraphs({ type, path = '', meta }: Change): boolean {
  const directive = /@(\w+)/.exec(path)?.[1];
  if (directive === 'inaccessible')
    return type === 'DIRECTIVE_USAGE_FIELD_DEFINITION_ADDED' && !meta.addedToNewType;
  if (directive !== 'key' && directive !== 'shareable') return false;
  // A key that became another: the library takes keys by their place, so new ones belong at the end.
  const isReplaced = type === 'DIRECTIVE_USAGE_ARGUMENT_ADDED' && meta.oldArgumentValue !== null;
  return isReplaced || /^DIRECTIVE_USAGE_(?:OBJECT|FIELD_DEFINITION)_REMOVED$/.test(type);
}

/** A member whose removal was announced may go on its day. */
function removals(today: string): Rule {
  return ({ changes, oldSchema }) =>
    changes.map((change) => {
      if (!/^(?:FIELD|ENUM_VALUE|INPUT_FIELD)_REMOVED$/.test(change.type)) return change;
      const day = dayIn(deprecationReason(oldSchema, change.path ?? ''));
      return day !== null && day <= today ? judged(change, CriticalityLevel.Dangerous) : change;
    });
}

/** A removal is announced a year ahead, with its day in the reason. */
function announcements(today: string): Rule {
  const aYearOn = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  return ({ changes, newSchema }) =>
    changes.map((change) => {
      if (!/_DEPRECATION(?:_REASON)?_(?:ADDED|CHANGED)$/.test(change.type)) return change;
      const day = dayIn(deprecationReason(newSchema, change.path ?? ''));
      if (day !== null && day >= aYearOn) return change;
      const message = `${change.message}, without a day from ${aYearOn} on in its reason`;
      return { ...judged(change, CriticalityLevel.Breaking), message };
    });
}

function judged(change: Change, level: CriticalityLevel): Change {
  return { ...change, criticality: { ...change.criticality, level } };
}

function dayIn(reason: string | null): string | null {
  return reason === null ? null : (/\b\d{4}-\d\d-\d\d\b/.exec(reason)?.[0] ?? null);
}

/** Of `Type.field`, `Enum.VALUE` or `Input.field`; null where it is not deprecated. */
function deprecationReason(schema: GraphQLSchema | null, path: string): string | null {
  const [typeName = '', member = ''] = path.split('.');
  const type = schema?.getType(typeName);
  if (isEnumType(type)) return type.getValue(member)?.deprecationReason ?? null;
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return null;
  return type.getFields()[member]?.deprecationReason ?? null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  const today = new Date().toISOString().slice(0, 10);
  const changes = await schemaChanges(read('docs/released-schema.graphql'), read('schema.graphql'), today);
  const worth = changes.filter(({ level }) => level !== 'NON_BREAKING');
  for (const { level, message } of worth) console.log(`${level}: ${message}`);
  const breaking = worth.filter(({ level }) => level === 'BREAKING').length;
  console.log(
    `Since docs/released-schema.graphql: ${changes.length} changes of the schema, ${breaking} of them breaking.`,
  );
  process.exitCode = breaking > 0 ? 1 : 0;
}
