import type { ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Metrics } from '../metrics.ts';

export type OperationOutcome = 'ok' | 'partial' | 'failed';

type Timer = ReturnType<Metrics['graphqlSeconds']['startTimer']>;

/**
 * Measures GraphQL operations from the request's arrival to their result, or to the last part of it. One that
 * could not be parsed, validated or paid for has failed as well. One whose client went away between two parts
 * is `partial`.
 */
export function useOperationMetrics(seconds: Metrics['graphqlSeconds']): Plugin {
  const timers = new WeakMap<Request, Timer>();
  return {
    onRequestParse({ request }) {
      timers.set(request, seconds.startTimer());
    },
    onExecute: ({ context: { request } }) => ({
      onExecuteDone({ result }) {
        const timer = timers.get(request);
        return isAsyncIterable(result) && timer ? createPartsMeter(timer) : undefined;
      },
    }),
    onResultProcess({ request, result }) {
      if (Array.isArray(result) || isAsyncIterable(result)) return;
      timers.get(request)?.({ outcome: outcomeOf(result) });
    },
  };
}

interface Part extends Pick<ExecutionResult, 'data' | 'errors'> {
  readonly hasNext?: boolean;
  readonly incremental?: readonly Pick<ExecutionResult, 'errors'>[];
}

function createPartsMeter(timer: Timer) {
  let outcome: OperationOutcome | undefined;
  let isComplete = false;
  return {
    onNext({ result }: { readonly result: Part }) {
      outcome ??= outcomeOf(result);
      if (outcome === 'ok' && result.incremental?.some(({ errors }) => errors?.length)) outcome = 'partial';
      isComplete = result.hasNext !== true;
    },
    onEnd() {
      timer({ outcome: isComplete || outcome === 'failed' ? (outcome ?? 'failed') : 'partial' });
    },
  };
}

/** `partial` has errors and data, though the data may be null in all its places. */
export function outcomeOf({ data, errors }: Pick<ExecutionResult, 'data' | 'errors'>): OperationOutcome {
  if (!errors?.length) return 'ok';
  return data ? 'partial' : 'failed';
}
