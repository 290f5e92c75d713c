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
import {
  createArgumentsReaderOf,
  createVariablesReader,
  type Variables,
  type VariablesReader,
} from './arguments.ts';
import { type DocumentTraits, documentErrors, parseDocument, traitsOf } from './document.ts';
import { HEAP_BYTES } from './heap-sizes.ts';
import { servedSchema } from './incremental/incremental-rules.ts';
import { createPlan, type Plan } from './plan.ts';
import { type PlanSize, planSizeOf } from './plan-size.ts';
import { createPrice, type Price } from './price.ts';
import { fragmentsIn, type SelectedOperation } from './selected-fields.ts';

export interface PreparedDocument extends Omit<DocumentTraits, 'conditionVariables'> {
  readonly document: DocumentNode;
  readonly fragments: SelectedOperation['fragments'];
  /** the estimated heap of the document without plans */
  readonly heapBytes: number;
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
  readonly planSize: PlanSize;
  readonly plan: () => Plan;
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

/** A longer text is neither kept nor registered. */
export const MAX_KEPT_CHARACTERS = 100_000;
/** Longer names of operations are cut in logs and traces, because clients choose them. */
const MAX_NAME_CHARACTERS = 100;
/** At most this many plans are kept for an operation. Each combination of values in `@skip` and `@include` has a plan. */
const MAX_PLANS = 8;
/** A document with its plans can have this share of the memory for all documents. A plan above this limit is not kept. */
const MAX_SHARE = 1 / 4;

const NO_OPERATION =
  'The query has no operation with the name in "operationName", or it has several operations and no name is given.';

export type Operations = ReturnType<typeof createOperations>;

interface OperationsOptions {
  /** called with the text of a document that is no longer kept, or that is too large to be kept */
  readonly onDropped?: (text: string) => void;
  /** default: true */
  readonly allowsIntrospection?: boolean;
}

/** @param maxBytes the limit for all kept documents and plans together */
export function createOperations(
  maxTokens: number,
  maxBytes: number,
  { onDropped = () => undefined, allowsIntrospection = true }: OperationsOptions = {},
) {
  const outcomes = new LRUCache<string, PreparedDocument | DocumentRefused>({
    maxSize: maxBytes,
    dispose: (_, text, reason) => reason === 'evict' && onDropped(text),
  });

  let last: { readonly text: string; readonly prepared: PreparedDocument } | undefined;

  function keep(text: string, outcome: PreparedDocument | DocumentRefused, bytes: number): boolean {
    if (bytes > maxBytes * MAX_SHARE || text.length > MAX_KEPT_CHARACTERS) return false;
    // The cache does not change the size of a value that it has already.
    outcomes.delete(text);
    outcomes.set(text, outcome, { size: Math.ceil(bytes) });
    // `last` is not looked up in the cache, so the cache does not see that it is used.
    if (last && last.text !== text) outcomes.get(last.text);
    return true;
  }

  function prepareAndKeep(text: string): PreparedDocument | DocumentRefused {
    const [outcome, bytes] = outcomeFor(text);
    if (!keep(text, outcome, bytes)) onDropped(text);
    return outcome;
  }

  function outcomeFor(text: string): readonly [outcome: PreparedDocument | DocumentRefused, bytes: number] {
    const textBytes = HEAP_BYTES.document + text.length * HEAP_BYTES.character;
    const refused = (errors: DocumentRefused['errors']) =>
      [new DocumentRefused(errors), textBytes + errors.length * HEAP_BYTES.error] as const;
    try {
      const document = parseDocument(text, maxTokens);
      const errors = documentErrors(document, allowsIntrospection);
      if (errors.length > 0) return refused(errors);
      const heapBytes = textBytes + (document.tokenCount ?? maxTokens) * HEAP_BYTES.token;
      let keptBytes = heapBytes;
      const prepared = prepareDocument(document, heapBytes, (planBytes) => {
        if (!keep(text, prepared, keptBytes + planBytes)) return false;
        keptBytes += planBytes;
        return true;
      });
      return [prepared, heapBytes];
    } catch (error) {
      if (error instanceof GatewayError || error instanceof GraphQLError) return refused([error]);
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
      const outcome = outcomes.get(text) ?? prepareAndKeep(text);
      if (outcome instanceof DocumentRefused) throw outcome;
      return outcome;
    },
    /** the estimated memory of all kept documents */
    get rememberedBytes(): number {
      return outcomes.calculatedSize;
    },
  };
}

/** @param keepPlan called with the size of a plan that was made; returns whether the plan is kept */
function prepareDocument(
  document: DocumentNode,
  heapBytes: number,
  keepPlan: (planBytes: number) => boolean,
): PreparedDocument {
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
      if (known) return known;
      const source = { schema: servedSchema, operation: node, fragments, variables, readerOf };
      let plan: Plan | undefined;
      const planOnce = (): Plan => {
        plan ??= createPlan(source);
        return plan;
      };
      const made = { price: createPrice(source), planSize: planSizeOf(source), plan: planOnce };
      if (ready.size < MAX_PLANS && keepPlan(made.planSize.heapBytes)) ready.set(key, made);
      return made;
    };
    const label = { name: node.name?.value.slice(0, MAX_NAME_CHARACTERS), type: node.operation };
    return { node, label, readVariables: createVariablesReader(servedSchema, node), withVariables };
  }

  return {
    document,
    fragments,
    heapBytes,
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
