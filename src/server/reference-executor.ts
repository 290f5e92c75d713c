import { execute } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/**
 * Executes with graphql-js. Yoga's own executor puts fields into the response in the order in which their
 * promises settle; the specification, and people who read responses, want the order of the query.
 */
export function useReferenceExecutor(): Plugin {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(execute);
    },
  };
}
