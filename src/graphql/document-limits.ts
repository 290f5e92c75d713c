// Documents: how long one may be, and how many parsed ones are kept.

import { type ASTVisitor, type DocumentNode, GraphQLError, parse, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../errors.ts';

const MAX_LINES = 2_000;
const MAX_INTROSPECTIONS = 10;

/** Bounds the work that a document makes before anything of it is executed. */
export function useDocumentLimits(maxTokens: number): Plugin {
  return {
    onParse({ params: { source }, setParseFn }) {
      // Each error of a response looks for its line in the document: it must not have to look for long.
      if (hasMoreLines(String(source), MAX_LINES)) throw tooLarge(`more than ${MAX_LINES} lines`);
      setParseFn((text, options) => {
        try {
          return parse(text, { ...options, maxTokens });
        } catch (error) {
          throw isTokenLimit(error) ? tooLarge(`more than ${maxTokens} tokens`) : error;
        }
      });
    },
    onValidate({ validateFn, setValidationFn, addValidationRule }) {
      addValidationRule(limitIntrospection);
      setValidationFn((...parameters) => {
        const errors: readonly GraphQLError[] = validateFn(...parameters);
        return errors.some(({ message }) => message === VALIDATION_ABORTED) ? [tooRepetitive()] : errors;
      });
    },
  };
}

function hasMoreLines(text: string, most: number): boolean {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= most; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines > most;
}

function isTokenLimit(error: unknown): boolean {
  return error instanceof GraphQLError && /Document contains more th\w+ \d+ tokens/.test(error.message);
}

function tooLarge(what: string): GatewayError {
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The query has ${what}. Pass values as variables, and many DOIs through dois(inputs:) instead of aliases.`,
  });
}

/** graphql-js stops comparing fields of one response name with each other when they are too many. */
const VALIDATION_ABORTED = 'Validation aborted.';

function tooRepetitive(): GraphQLError {
  const message = 'The query repeats a field too often to be checked. Ask for each field once in its place.';
  return new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED' } });
}

/** The cost of an operation does not count introspection, and the whole schema under an alias is much. */
function limitIntrospection(context: ValidationContext): ASTVisitor {
  let count = 0;
  return {
    Field(node) {
      if (node.name.value !== '__schema' && node.name.value !== '__type') return;
      count += 1;
      if (count !== MAX_INTROSPECTIONS + 1) return;
      const message = `The query asks for the schema more than ${MAX_INTROSPECTIONS} times.`;
      context.reportError(
        new GraphQLError(message, { nodes: [node], extensions: { code: 'LIMIT_EXCEEDED' } }),
      );
    },
  };
}

/** What a parsed document takes in memory for each character of its text, measured on the densest. */
const BYTES_A_CHARACTER = 240;
const MAX_CACHE_BYTES = 64_000_000;
const MAX_CACHED_CHARACTERS = 16_000;

/** Caches of parsed documents by their text, bounded by the memory they take. */
export function createDocumentCaches() {
  return { documentCache: createCache<DocumentNode>(), errorCache: createCache<Error>() };
}

function createCache<Value extends object>() {
  const cache = new LRUCache<string, Value>({
    maxSize: MAX_CACHE_BYTES,
    maxEntrySize: MAX_CACHED_CHARACTERS * BYTES_A_CHARACTER,
    sizeCalculation: (_value, text) => (text.length + 1) * BYTES_A_CHARACTER,
  });
  return {
    get: (text: string) => cache.get(text),
    set: (text: string, value: Value) => {
      cache.set(text, value);
    },
  };
}
