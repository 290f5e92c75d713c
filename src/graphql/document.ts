// Parses and validates a document, and limits the processor time that a document can cause.

import {
  type ASTNode,
  type ASTVisitor,
  BREAK,
  type DocumentNode,
  GraphQLError,
  getLocation,
  Kind,
  parse,
  type SourceLocation,
  specifiedRules,
  type ValidationContext,
  validate,
  visit,
} from 'graphql';
import { GatewayError } from '../errors.ts';
import { MAX_ERRORS } from './arguments.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { incrementalRules, servedSchema } from './incremental/incremental-rules.ts';

// The location (line and column) of each node is computed once, even for thousands of errors.

const knownLocations = new WeakMap<ASTNode, SourceLocation>();
/** Key: a node of `withoutLocations`. Value: the node in the original document. */
const originals = new WeakMap<ASTNode, ASTNode>();

/** Skips nodes without a location. */
export function locationsOf(nodes: readonly ASTNode[]): readonly SourceLocation[] {
  return nodes.flatMap((node) => {
    const original = originals.get(node) ?? node;
    const location =
      knownLocations.get(original) ??
      (original.loc ? getLocation(original.loc.source, original.loc.start) : undefined);
    if (location === undefined) return [];
    knownLocations.set(original, location);
    return location;
  });
}

/**
 * A copy whose nodes have no locations, so that graphql-js does not search for the line of each error. `locationsOf` still
 * finds the locations.
 */
export function withoutLocations(document: DocumentNode): DocumentNode {
  return copyOf(document) as unknown as DocumentNode;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === 'loc' ? undefined : copyOf(member)]),
  );
  originals.set(copy as unknown as ASTNode, value as ASTNode);
  return copy;
}

/** Throws a GatewayError if the document is too large, and a GraphQLError if the text is not GraphQL. */
export function parseDocument(text: string, maxTokens: number): DocumentNode {
  if (hasMoreLines(text, DOCUMENT_LIMITS.lines)) throw tooLarge(`more than ${DOCUMENT_LIMITS.lines} lines`);
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    if (isTokenLimit(error)) throw tooLarge(`more than ${maxTokens} tokens`);
    throw error instanceof GraphQLError ? withCode(error, 'GRAPHQL_PARSE_FAILED') : error;
  }
}

const usualRules = [...specifiedRules, ...incrementalRules];

/**
 * The faults of a parsed document, as errors with a code; at most MAX_ERRORS.
 * @param allowsIntrospection whether the document may select `__schema` and `__type`
 */
export function documentErrors(document: DocumentNode, allowsIntrospection = true): readonly GraphQLError[] {
  if (nestingOf(document) > DOCUMENT_LIMITS.depth)
    return [limitExceeded(`The query is nested too deep: more than ${DOCUMENT_LIMITS.depth} levels.`)];
  if (comparedPairs(document) > DOCUMENT_LIMITS.pairs) return [limitExceeded(TOO_REPETITIVE)];
  const rules = [...usualRules, allowsIntrospection ? limitIntrospection : refuseIntrospection];
  const errors = validate(servedSchema, document, rules, { maxErrors: MAX_ERRORS });
  // graphql-js stops validation if it would have to compare too many fields with the same path.
  if (errors.some(({ message }) => message === VALIDATION_ABORTED)) return [limitExceeded(TOO_REPETITIVE)];
  return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'));
}

/** Makes a function that describes the faults of a query text. The function returns null if the text can be executed. */
export function createDescribeFaults(maxTokens: number): (text: string) => string | null {
  return (text) => {
    try {
      const errors = documentErrors(parseDocument(text, maxTokens));
      return errors.map(({ message }) => message).join(' ') || null;
    } catch (error) {
      return (error as Error).message;
    }
  };
}

/** Fields about the gateway itself. Their values depend on its version and configuration. */
const GATEWAY_FIELDS: ReadonlySet<string> = new Set(['__schema', '__type', '_service', 'doiDirectory']);

export interface DocumentTraits {
  /** the document has `@defer` or `@stream` */
  readonly isIncremental: boolean;
  /** the response depends on the gateway's version or configuration */
  readonly hasGatewayFields: boolean;
  /** the variables in the conditions of `@skip` and `@include` */
  readonly conditionVariables: readonly string[];
}

export function traitsOf(document: DocumentNode): DocumentTraits {
  let isIncremental = false;
  let hasGatewayFields = false;
  const conditionVariables = new Set<string>();
  visit(document, {
    Field({ name }) {
      hasGatewayFields ||= GATEWAY_FIELDS.has(name.value);
    },
    Directive({ name, arguments: args = [] }) {
      if (name.value === 'defer' || name.value === 'stream') isIncremental = true;
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of args) {
        if (value.kind === Kind.VARIABLE) conditionVariables.add(value.name.value);
      }
    },
  });
  return { isIncremental, hasGatewayFields, conditionVariables: [...conditionVariables] };
}

function hasMoreLines(text: string, maxLines: number): boolean {
  const lineEnds = /\r\n|[\r\n]/g;
  let lines = 1;
  while (lines <= maxLines && lineEnds.test(text)) lines += 1;
  return lines > maxLines;
}

function nestingOf(document: DocumentNode): number {
  let depth = 0;
  let deepest = 0;
  const level = {
    enter() {
      depth += 1;
      deepest = Math.max(deepest, depth);
    },
    leave() {
      depth -= 1;
    },
  };
  visit(document, { SelectionSet: level, ListValue: level, ObjectValue: level, ListType: level });
  return deepest;
}

/** The number of pairs of fields with the same path in the document. Does not follow fragment spreads. */
function comparedPairs(document: DocumentNode): number {
  const fieldsByPath = new Map<string, number>();
  const path: string[] = [];
  let pairs = 0;
  visit(document, {
    Field: {
      enter(node) {
        path.push((node.alias ?? node.name).value);
        const key = path.join(' ');
        const others = fieldsByPath.get(key) ?? 0;
        pairs += others;
        fieldsByPath.set(key, others + 1);
        return pairs > DOCUMENT_LIMITS.pairs ? BREAK : undefined;
      },
      leave() {
        path.pop();
      },
    },
  });
  return pairs;
}

function isTokenLimit(error: unknown): boolean {
  return error instanceof GraphQLError && /Document contains more th\w+ \d+ tokens/.test(error.message);
}

function tooLarge(what: string): GatewayError {
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The query has ${what}. Pass values as variables, and many DOIs through dois(inputs:) instead of aliases.`,
  });
}

const VALIDATION_ABORTED = 'Validation aborted.';
const TOO_REPETITIVE =
  'The query repeats fields so often that the gateway cannot check it. Select each field of an object only once.';

function limitExceeded(message: string, nodes: readonly ASTNode[] = []): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code: 'LIMIT_EXCEEDED' } });
}

const INTROSPECTION_FIELDS: ReadonlySet<string> = new Set(['__schema', '__type']);

/** Introspection has its own limit, because it costs nothing and each alias can return the whole schema. */
function limitIntrospection(context: ValidationContext): ASTVisitor {
  let count = 0;
  return {
    Field(node) {
      if (!INTROSPECTION_FIELDS.has(node.name.value)) return;
      count += 1;
      if (count !== DOCUMENT_LIMITS.introspections + 1) return;
      const message = `The query selects __schema or __type more than ${DOCUMENT_LIMITS.introspections} times.`;
      context.reportError(limitExceeded(message, [node]));
    },
  };
}

/** For gateways with INTROSPECTION=no. `__typename` is allowed, because clients with a cache need it. */
function refuseIntrospection(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      if (!INTROSPECTION_FIELDS.has(node.name.value)) return;
      const message = `This gateway does not allow introspection (${node.name.value}). Its schema is at /schema.graphql.`;
      context.reportError(new GraphQLError(message, { nodes: [node] }));
    },
  };
}

/** A copy with a code. It has no nodes and no stack, because they would need ten times as much memory. */
function withCode(error: GraphQLError, code: string): GraphQLError {
  const { message, source = null, positions = null, extensions } = error;
  const coded = new GraphQLError(message, { source, positions, extensions: { code, ...extensions } });
  coded.stack = '';
  return coded;
}
