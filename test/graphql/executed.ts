// Executes an operation by the gateway's own executor, and by graphql-js as an oracle, without a gateway around.

import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import {
  createArgumentsReaderOf,
  createVariablesReader,
  type Variables,
} from '../../src/graphql/arguments.ts';
import { executePlan } from '../../src/graphql/execute.ts';
import { BatchGate, type Execution } from '../../src/graphql/execution.ts';
import { createErrorMask, createGraphqlErrorMask, type ErrorMask } from '../../src/graphql/mask-error.ts';
import { isWritten, WrittenErrors, type WrittenJson } from '../../src/graphql/pieces.ts';
import { createPlan, type Plan } from '../../src/graphql/plan.ts';
import { createPrice, type Price } from '../../src/graphql/price.ts';
import { OperationUsage } from '../../src/graphql/write.ts';
import type { Log } from '../../src/log.ts';

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };
export const mask: ErrorMask = createErrorMask(SILENT);

/** Of a slice that is over at once, so that everything goes on in another turn. */
export function shortSlices(): Execution['slices'] {
  return {
    isOver: () => true,
    isOverNow: () => true,
    next: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

export function longSlices(): Execution['slices'] {
  return { isOver: () => false, isOverNow: () => false, next: async () => undefined };
}

export interface Executed {
  readonly data: string;
  readonly errors: readonly string[];
  readonly usage: OperationUsage;
  /** whether it was there without a wait */
  readonly atOnce: boolean;
}

let executions = 0;

export interface Planned {
  readonly plan: Plan;
  readonly price: Price;
  readonly variables: Variables;
}

/** Null where the variables cannot be read, or those of a condition. */
export function planned(
  schema: GraphQLSchema,
  query: string | DocumentNode,
  sent: Variables,
): Planned | null {
  const document = typeof query === 'string' ? parse(query) : query;
  const operation = document.definitions.find(
    (node) => node.kind === Kind.OPERATION_DEFINITION,
  ) as OperationDefinitionNode;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const { coerced: variables } = createVariablesReader(schema, operation)(sent);
  if (!variables) return null;
  const source = { schema, operation, fragments, variables, readerOf: createArgumentsReaderOf() };
  return { plan: createPlan(source), price: createPrice(source), variables };
}

const unlimited = () => new OperationUsage(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);

/** Nothing remembered, no end, in one slice: unless something else is said. */
export async function executePlanned(
  { plan, variables }: Planned,
  more: Partial<Execution> = {},
): Promise<Executed> {
  executions += 1;
  const execution: Execution = {
    number: executions,
    variables,
    valuesByReader: [],
    variableReads: 0,
    context: {},
    sources: { track: () => () => null, stillHolds: () => false },
    usage: unlimited(),
    slices: longSlices(),
    gate: new BatchGate(),
    mask,
    items: null,
    errors: new WrittenErrors(),
    time: { throwIfEnded: () => undefined },
    ...more,
  };
  const result = executePlan(plan, execution);
  const written = await result;
  const data = typeof written === 'string' ? written : Buffer.concat(written.buffers()).toString();
  const { usage } = execution;
  return {
    data,
    // Also what fails after the answer is there.
    get errors() {
      return listOf(execution.errors.written());
    },
    usage,
    atOnce: isWritten(result),
  };
}

/** Each error as JSON. */
function listOf(written: WrittenJson): readonly string[] {
  const member = typeof written === 'string' ? written : Buffer.concat(written.buffers()).toString();
  const { errors = [] } = JSON.parse(`{${member}"end":0}`) as { readonly errors?: readonly unknown[] };
  return errors.map((error) => JSON.stringify(error));
}

/** Null where the variables cannot be read. */
export async function executeDirectly(
  schema: GraphQLSchema,
  query: string,
  variables: Variables,
  more: Partial<Execution> = {},
): Promise<Executed | null> {
  const known = planned(schema, query, variables);
  return known && executePlanned(known, more);
}

/** What graphql-js says, its errors in the words and the JSON that clients get. */
export async function executeByOracle(
  schema: GraphQLSchema,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  contextValue: unknown = {},
): Promise<Pick<Executed, 'data' | 'errors'> & { readonly hasData: boolean }> {
  const result: ExecutionResult = await execute({
    schema,
    document: parse(query),
    variableValues: variables,
    contextValue,
  });
  const graphqlMask = createGraphqlErrorMask(mask);
  const errors = (result.errors ?? []).map((error) => {
    const { message, locations, path, extensions } = graphqlMask(error);
    const { http: _, ...shown } = extensions;
    return JSON.stringify({ message, locations, path, extensions: shown });
  });
  return { data: String(JSON.stringify(result.data)), errors, hasData: 'data' in result };
}
