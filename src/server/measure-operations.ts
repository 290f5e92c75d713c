import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Metrics } from '../metrics.ts';

export type OperationOutcome = 'ok' | 'partial' | 'failed';

/**
 * Measures GraphQL operations from the request's arrival to their result. One that could not be parsed,
 * validated or paid for has failed as well.
 */
export function useOperationMetrics(seconds: Metrics['graphqlSeconds']): Plugin {
  const timers = new WeakMap<Request, ReturnType<Metrics['graphqlSeconds']['startTimer']>>();
  return {
    onRequestParse({ request }) {
      timers.set(request, seconds.startTimer());
    },
    onResultProcess({ request, result }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      timers.get(request)?.({ outcome: outcomeOf(result) });
    },
  };
}

/** `partial` has errors and data, though the data may be null in all its places. */
export function outcomeOf({ data, errors }: ExecutionResult): OperationOutcome {
  if (!errors?.length) return 'ok';
  return data ? 'partial' : 'failed';
}
