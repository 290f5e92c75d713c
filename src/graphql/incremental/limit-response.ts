import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { ErrorMask } from '../mask-error.ts';
import { responseBytes, responseTooLarge } from '../response-size.ts';

/** Answers with an error what would be too large. Answers in parts are measured part by part, where they are made. */
export function useResponseLimit(maxBytes: number, mask: ErrorMask): Plugin {
  return {
    onResultProcess({ result, setResult }) {
      if (isAsyncIterable(result) || Array.isArray(result)) return;
      if (responseBytes(result, maxBytes) <= maxBytes) return;
      setResult({ errors: [mask(responseTooLarge(maxBytes))] });
    },
  };
}
