// Documents: how long one may be, and how many parsed ones are kept.

import { type DocumentNode, GraphQLError, parse } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../errors.ts';

/** Bounds the work of parsing by a token limit, and explains where validation gave up by itself. */
export function useDocumentLimits(maxTokens: number): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source, options) => {
        try {
          return parse(source, { ...options, maxTokens });
        } catch (error) {
          throw isTokenLimit(error) ? tooManyTokens(maxTokens) : error;
        }
      });
    },
    onValidate() {
      return ({ result, setResult }) => {
        if (result.some(({ message }) => message === VALIDATION_ABORTED)) setResult([tooRepetitive()]);
      };
    },
  };
}

function isTokenLimit(error: unknown): boolean {
  return error instanceof GraphQLError && /Document contains more th\w+ \d+ tokens/.test(error.message);
}

function tooManyTokens(maxTokens: number): GatewayError {
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The query has more than ${maxTokens} tokens. Pass values as variables, and many DOIs through dois(inputs:) instead of aliases.`,
  });
}

/** graphql-js stops comparing fields of one response name with each other when they are too many. */
const VALIDATION_ABORTED = 'Validation aborted.';

function tooRepetitive(): GraphQLError {
  const message = 'The query repeats a field too often to be checked. Ask for each field once in its place.';
  return new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED' } });
}

const MAX_CHARACTERS = 8_000_000;

/** Caches of parsed documents by their text, bounded by the length of the texts. */
export function createDocumentCaches() {
  return { documentCache: createCache<DocumentNode>(), errorCache: createCache<Error>() };
}

function createCache<Value extends object>() {
  const cache = new LRUCache<string, Value>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_value, text) => text.length + 1,
  });
  return {
    get: (text: string) => cache.get(text),
    set: (text: string, value: Value) => {
      cache.set(text, value);
    },
  };
}
