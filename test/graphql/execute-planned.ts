// Executes operations without a gateway: with the executor of the gateway, and with graphql-js to compare.

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
import { createPrice, type Price, priceIn } from '../../src/graphql/price.ts';
import { OperationUsage } from '../../src/graphql/write.ts';
import type { Log } from '../../src/log.ts';

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };
export const mask: ErrorMask = createErrorMask(SILENT);

/** Slices of one step. Each further step runs in a later turn of the event loop. */
export function shortSlices(): Execution['slices'] {
  return {
    isOver: () => true,
    isOverNow: () => true,
    next: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

const ENDLESS_SLICE: Execution['slices'] = {
  isOver: () => false,
  isOverNow: () => false,
  next: async () => undefined,
};

export interface Executed {
  readonly data: string;
  /** each error as JSON, also an error after the end of the data */
  readonly errors: readonly string[];
  readonly usage: OperationUsage;
  /** whether the data needed no wait */
  readonly isSynchronous: boolean;
}

export interface Planned {
  readonly plan: Plan;
  readonly price: Price;
  readonly variables: Variables;
}

/** Returns null if the variables cannot be read. */
export function planOperation(
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

let executions = 0;

const newExecution = (variables: Variables) => {
  executions += 1;
  return { number: executions, variables, valuesByReader: [], variableReads: 0 };
};

export function priceOf({ price, variables }: Planned): number {
  return priceIn(price, newExecution(variables));
}

/** By default the execution remembers no items, has no limits, and runs in one slice. */
export async function executePlanned(
  { plan, variables }: Planned,
  parts: Partial<Execution> = {},
): Promise<Executed> {
  const execution: Execution = {
    ...newExecution(variables),
    context: {},
    sources: { track: () => () => null, stillHolds: () => false },
    usage: new OperationUsage(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
    slices: ENDLESS_SLICE,
    gate: new BatchGate(),
    mask,
    items: null,
    errors: new WrittenErrors(),
    time: { throwIfEnded: () => undefined },
    ...parts,
  };
  const result = executePlan(plan, execution);
  const data = textOf(await result);
  const { usage } = execution;
  return {
    data,
    get errors() {
      return listOf(execution.errors.written());
    },
    usage,
    isSynchronous: isWritten(result),
  };
}

export function textOf(written: WrittenJson): string {
  return typeof written === 'string' ? written : Buffer.concat(written.buffers()).toString();
}

function listOf(written: WrittenJson): readonly string[] {
  const { errors = [] } = JSON.parse(`{${textOf(written)}"end":0}`) as {
    readonly errors?: readonly unknown[];
  };
  return errors.map((error) => JSON.stringify(error));
}

/** Returns null if the variables cannot be read. */
export async function executeDirectly(
  schema: GraphQLSchema,
  query: string,
  variables: Variables,
  parts: Partial<Execution> = {},
): Promise<Executed | null> {
  const planned = planOperation(schema, query, variables);
  return planned && executePlanned(planned, parts);
}

/** The result of graphql-js, with errors as clients get them. */
export async function executeByOracle(
  schema: GraphQLSchema,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Pick<Executed, 'data' | 'errors'> & { readonly hasData: boolean }> {
  const result: ExecutionResult = await execute({
    schema,
    document: parse(query),
    variableValues: variables,
    contextValue: {},
  });
  const graphqlMask = createGraphqlErrorMask(mask);
  const errors = (result.errors ?? []).map((error) => {
    const { message, locations, path, extensions } = graphqlMask(error);
    const { http: _, ...shown } = extensions;
    return JSON.stringify({ message, locations, path, extensions: shown });
  });
  return { data: String(JSON.stringify(result.data)), errors, hasData: 'data' in result };
}
