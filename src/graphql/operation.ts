// Prepares a query text for execution. Keeps the prepared document for the next request with the same text.

import {
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../errors.ts';
import type { Need } from '../work/reservation.ts';
import {
  createArgumentsReaderOf,
  createVariablesReader,
  type ExecutionArguments,
  type Variables,
  type VariablesReader,
} from './arguments.ts';
import { type DocumentTraits, documentErrors, parseDocument, traitsOf } from './document.ts';
import { servedSchema } from './incremental/incremental-rules.ts';
import { createPlan, type Plan } from './plan.ts';
import { createPrice, HEAP_BYTES_PER_COST, type Price, priceIn, TooExpensive } from './price.ts';
import { fragmentsIn, type SelectedOperation } from './selected-fields.ts';

/** An operation with its variables, its cost, and the memory that it can need. */
export interface PricedOperation {
  readonly operation: PreparedOperation;
  readonly plan: Plan;
  readonly executionArguments: ExecutionArguments;
  readonly cost: number;
  readonly need: Need;
}

let executions = 0;

/** Throws a DocumentRefused if the variables do not fit, and a TooExpensive if the cost is too high. */
export function priceOperation(
  operation: PreparedOperation,
  sent: Variables,
  { maxComplexity, bodyBytes }: { readonly maxComplexity: number; readonly bodyBytes: number },
): PricedOperation {
  const { coerced: variables, errors } = operation.readVariables(sent);
  if (errors) throw new DocumentRefused(errors);
  const { price, plan } = operation.withVariables(variables);
  executions += 1;
  const executionArguments = { number: executions, variables, valuesByReader: [], variableReads: 0 };
  const cost = priceIn(price, executionArguments);
  if (cost > maxComplexity) throw new TooExpensive(cost, maxComplexity);
  const need = {
    heapBytes: cost * HEAP_BYTES_PER_COST + bodyBytes * HEAP_BYTES_PER_BODY_BYTE,
    responseBytes: cost * RESPONSE_BYTES_PER_COST,
  };
  return { operation, plan, executionArguments, cost, need };
}

// The memory of an operation is estimated from its cost and its body. A field of the response costs 1 and has about 20
// bytes. Parsed JSON needs up to eight times its bytes.
const HEAP_BYTES_PER_BODY_BYTE = 8;
const RESPONSE_BYTES_PER_COST = 20;

export interface PreparedDocument extends Omit<DocumentTraits, 'conditionVariables'> {
  readonly document: DocumentNode;
  readonly fragments: SelectedOperation['fragments'];
  /** Throws BAD_USER_INPUT if no operation has this name, or if the name is null and there are several operations. */
  operation(name: string | null): PreparedOperation;
}

/** The name of an operation in logs and traces. */
export interface OperationLabel {
  /** from the document */
  readonly name: string | undefined;
  readonly type: string;
}

export interface PreparedOperation {
  readonly node: OperationDefinitionNode;
  readonly label: OperationLabel;
  readonly readVariables: VariablesReader;
  withVariables(variables: Variables): ReadyOperation;
}

interface ReadyOperation {
  readonly price: Price;
  readonly plan: Plan;
}

/** Thrown if a document cannot be parsed or validated, or if the variables do not fit. It has the errors for the client. */
export class DocumentRefused extends Error {
  readonly errors: readonly (GraphQLError | GatewayError)[];

  constructor(errors: readonly (GraphQLError | GatewayError)[]) {
    super('The document cannot be executed.');
    this.stack = '';
    this.errors = errors;
  }
}

const MAX_CHARACTERS = 16_000;
/** The memory of a document, its plans and its prices, for each character of the text. Measured with a very dense text. */
const BYTES_PER_CHARACTER = 400;
/** The memory of one error of a refused document. */
const BYTES_PER_ERROR = 1_000;
/** Longer names of operations are cut in logs and traces, because clients choose them. */
const MAX_NAME_CHARACTERS = 100;
/** At most this many plans are kept for an operation. Each combination of values in `@skip` and `@include` has a plan. */
const MAX_PLANS = 8;
/** A plan with more fields is not used again, because it needs more memory than BYTES_PER_CHARACTER allows. */
const MAX_PLANNED_FIELDS_PER_CHARACTER = 1;

const NO_OPERATION =
  'The query has no operation with the name in "operationName", or it has several operations and no name is given.';

export type Operations = ReturnType<typeof createOperations>;

export function createOperations(maxTokens: number, maxBytes: number) {
  const outcomes = new LRUCache<string, PreparedDocument | DocumentRefused>({
    maxSize: maxBytes,
    sizeCalculation: (outcome, text) =>
      (text.length + 1) * BYTES_PER_CHARACTER +
      (outcome instanceof DocumentRefused ? outcome.errors.length * BYTES_PER_ERROR : 0),
  });

  let last: { readonly text: string; readonly prepared: PreparedDocument } | undefined;

  function outcomeFor(text: string): PreparedDocument | DocumentRefused {
    try {
      const document = parseDocument(text, maxTokens);
      const errors = documentErrors(document);
      return errors.length > 0 ? new DocumentRefused(errors) : prepareDocument(document, text.length);
    } catch (error) {
      if (error instanceof GatewayError || error instanceof GraphQLError) return new DocumentRefused([error]);
      throw error;
    }
  }

  return {
    /** The document that is kept for a text. Undefined: call `prepare`, which takes time. */
    keptDocument(text: string): PreparedDocument | undefined {
      // Most requests have the same text as the request before. To compare two texts is faster than to search by text.
      if (last?.text === text) return last.prepared;
      const outcome = outcomes.get(text);
      if (outcome === undefined || outcome instanceof DocumentRefused) return undefined;
      last = { text, prepared: outcome };
      return outcome;
    },
    /** Throws a DocumentRefused. */
    prepare(text: string): PreparedDocument {
      const outcome = outcomes.get(text) ?? outcomeFor(text);
      if (text.length <= MAX_CHARACTERS) outcomes.set(text, outcome);
      if (outcome instanceof DocumentRefused) throw outcome;
      return outcome;
    },
    /** the estimated memory of all kept documents */
    get rememberedBytes(): number {
      return outcomes.calculatedSize;
    },
  };
}

function prepareDocument(document: DocumentNode, characters: number): PreparedDocument {
  const fragments = fragmentsIn(document);
  const { conditionVariables, ...traits } = traitsOf(document);
  const operations = new Map<OperationDefinitionNode, PreparedOperation>();

  function prepareOperation(node: OperationDefinitionNode): PreparedOperation {
    const readerOf = createArgumentsReaderOf();
    const ready = new Map<string, ReadyOperation>();
    const withVariables = (variables: Variables): ReadyOperation => {
      const conditions = conditionVariables.map((name) => variables[name]);
      const key = conditions.length === 0 ? '' : JSON.stringify(conditions);
      const known = ready.get(key);
      if (known && known.plan.plannedFields <= characters * MAX_PLANNED_FIELDS_PER_CHARACTER) return known;
      const source = { schema: servedSchema, operation: node, fragments, variables, readerOf };
      const planned = { price: createPrice(source), plan: createPlan(source) };
      if (ready.size < MAX_PLANS) ready.set(key, planned);
      return planned;
    };
    const label = { name: node.name?.value.slice(0, MAX_NAME_CHARACTERS), type: node.operation };
    return { node, label, readVariables: createVariablesReader(servedSchema, node), withVariables };
  }

  return {
    document,
    fragments,
    ...traits,
    operation(name) {
      const node = getOperationAST(document, name);
      if (!node) throw new GatewayError('BAD_USER_INPUT', { message: NO_OPERATION });
      if (node.operation !== OperationTypeNode.QUERY) {
        throw new GatewayError('BAD_USER_INPUT', {
          message: `The gateway has no ${node.operation}s: all its operations are queries.`,
          httpStatus: 405,
        });
      }
      const known = operations.get(node) ?? prepareOperation(node);
      operations.set(node, known);
      return known;
    },
  };
}
