// The opt-in SDL with costs. A router uses it to estimate the price of an operation.

import { readFileSync } from 'node:fs';
import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { composeServices } from '@theguild/federation-composition';
import fc from 'fast-check';
import {
  astFromValue,
  buildSchema,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInterfaceType,
  GraphQLList,
  type GraphQLObjectType,
  GraphQLString,
  getNamedType,
  isInterfaceType,
  isLeafType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { expect, test } from 'vitest';
import { limitsOf } from '../../src/app/limits.ts';
import { parseConfig } from '../../src/config.ts';
import { priceIn } from '../../src/graphql/price.ts';
import { ASSUMED_INPUTS, withCosts } from '../../src/schema/federation/costs.ts';
import { printSubgraph } from '../../src/schema/federation/subgraph.ts';
import { priced, priceOfText } from '../../src/schema/field-price.ts';
import { schema } from '../../src/schema/index.ts';
import { planOperation } from '../graphql/execute-planned.ts';
import { type GeneratedOperation, generatedOperations } from '../graphql/generated-operations.ts';
import { SETS, subgraphs } from './compose.ts';
import { routerEstimate } from './router-estimate.ts';

const SDL = printSubgraph(withCosts(schema));
const routerSchema = buildSchema(SDL);

const INPUTS = astFromValue(Array(ASSUMED_INPUTS).fill('x'), new GraphQLList(GraphQLString));

/** The operation without the parts that routers do not estimate, and with lists of the assumed lengths. */
function comparable({ query }: GeneratedOperation): DocumentNode {
  const { definitions } = parse(query);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const types = new TypeInfo(routerSchema);
  return visit(
    {
      kind: Kind.DOCUMENT,
      definitions: definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION),
    },
    visitWithTypeInfo(types, {
      // Routers do not look up the variables of `@skip` and `@include`.
      Directive: () => null,
      FragmentSpread({ name }) {
        const { typeCondition, selectionSet } = fragments.get(name.value) as FragmentDefinitionNode;
        return { kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet };
      },
      Field({ name }) {
        const parent = types.getParentType() as GraphQLObjectType | GraphQLInterfaceType;
        // Composers refuse `@cost` on the fields of an interface, and routers count no `__typename`.
        if (isInterfaceType(parent)) return selectionOf('... on HandleStringData { value }');
        return name.value === '__typename' ? selectionOf(simplest(parent)) : undefined;
      },
      Argument(node) {
        if (['inputs', 'references'].includes(node.name.value)) return { ...node, value: INPUTS };
        // The argument `forms` makes a list shorter than the assumed length.
        return node.name.value === 'forms' ? null : undefined;
      },
    }),
  );
}

function selectionOf(text: string): SelectionNode {
  const { definitions } = parse(`{ ${text} }`);
  return (definitions[0] as OperationDefinitionNode).selectionSet.selections[0] as SelectionNode;
}

/** A field without arguments, with a selection. */
function simplest(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).filter(({ args }) => args.length === 0);
  const leaf = fields.find((field) => isLeafType(getNamedType(field.type)));
  if (leaf) return leaf.name;
  const inner = fields.map((field) => [field.name, getNamedType(field.type)] as const);
  return inner.map(([name, of]) => `${name} { ${simplest(of as GraphQLObjectType)} }`)[0] ?? '';
}

/** The gateway charges each match when it finds the match. This schema charges all matches before the search. */
const chargedSchema = mapSchema(schema, {
  [MapperKind.OBJECT_FIELD]: (field, name) =>
    name === 'findDois' ? { ...field, ...priced({ ...priceOfText(''), multiplier: ASSUMED_INPUTS }) } : field,
});

let executions = 3_000_000;

/** Returns null if the variables are invalid. */
function ownPrice(document: DocumentNode, sent: Readonly<Record<string, unknown>>): number | null {
  const operation = planOperation(chargedSchema, document, sent);
  if (!operation) return null;
  executions += 1;
  const { price, variables } = operation;
  return priceIn(price, { number: executions, variables, valuesByReader: [], variableReads: 0 });
}

const operations = generatedOperations({
  schema: routerSchema,
  // All texts are short, because a text of 64 characters or more costs more, and a router does not see its length.
  texts: () => ['10.5555/1', 'Crossref', '2381/1', 'gb', ''],
});

test.each([
  [
    '{ doi(input: "10.1000/182") { name url record { status values { type text } } } }',
    25 + 2 + 20 + 1 + 5 * 2,
  ],
  ['{ dois(inputs: ["10.1000/182"]) { name exists } }', 100 * (25 + 1 + 20)],
  [
    '{ doi(input: "10.1000/182") { redirect(parameters: {country: "gb", indexes: [1, 2]}) { url } } }',
    25 + 20 + 4 + 1,
  ],
  [
    '{ findDois(text: "10.1000/182") { start doi { __typename metadata { title } } } }',
    100 * (1 + 1 + 50 + 1),
  ],
  ['{ doiEquivalenceClasses(inputs: []) { classes { members { input } } } }', 2500 + 100 * (1 + 1 + 1)],
])('a router estimates the cost of %s', (query, estimate) => {
  expect(routerEstimate(routerSchema, parse(query))).toBe(estimate);
});

test('the estimate of 400 operations is between half and twice their price', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(operations, (operation) => {
      const document = comparable(operation);
      // Null for a required argument fails the field, and costs nothing here.
      const given = Object.entries(operation.variables).filter(([, value]) => value !== null);
      const variables = Object.fromEntries(given);
      const price = ownPrice(document, variables);
      fc.pre(price !== null);
      const ratio = routerEstimate(routerSchema, document, variables) / (price ?? 0);
      expect(ratio).toBeGreaterThanOrEqual(0.5);
      expect(ratio).toBeLessThanOrEqual(2);
    }),
    { numRuns: 400 },
  );
});

test.each(['nothing else', 'everything at once'])('the SDL composes with %s', (set) => {
  const services = subgraphs(SETS[set] ?? []).map((service) =>
    service.name === 'doi' ? { ...service, typeDefs: parse(SDL) } : service,
  );
  expect(composeServices(services).errors).toBeUndefined();
});

test('docs/federation.md gives a limit that allows each list of 1,000 inputs that the gateway allows', () => {
  const page = readFileSync(new URL('../../docs/federation.md', import.meta.url), 'utf8');
  const { complexity } = limitsOf(parseConfig({}));
  const limit = (complexity * ASSUMED_INPUTS) / 1_000;
  for (const setting of [`list_size: ${ASSUMED_INPUTS}`, `max: ${limit}`, `maxCost: ${limit}`]) {
    expect(page).toContain(setting);
  }
});
