// Several base URLs of the same directory, asked in their order until one of them answers.

import type { Answer, ProxyBase } from './proxy-base.ts';
import type { Lifetime } from './question-deadline.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export type Round<T> =
  | { readonly kind: 'ANSWERED'; readonly answer: T }
  | {
      readonly kind: 'FAILED';
      /** of every base that was to be asked, in their order */
      readonly failures: readonly BaseFailure[];
      /** an answer that says that the directory failed */
      readonly poor: { readonly answer: T } | null;
    };

export interface BaseFailure {
  readonly base: ProxyBase;
  readonly failure: UpstreamFailure;
}

/**
 * One attempt at each base until one answers. Rejects where another base would say the same: the answer is
 * no good, the deadline is over, or the caller has gone.
 * @param report is told of every request that was sent and failed
 */
export async function askInOrder<T>(
  bases: readonly ProxyBase[],
  ask: (base: ProxyBase) => Promise<Answer<T>>,
  life: Pick<Lifetime, 'isAborted'>,
  report: (failed: BaseFailure) => void,
): Promise<Round<T>> {
  const failures: BaseFailure[] = [];
  let poor: { readonly answer: T } | null = null;
  for (const base of bases) {
    try {
      const answered = await ask(base);
      const { answer } = answered;
      if (answered.poor === null) return { kind: 'ANSWERED', answer };
      poor ??= { answer };
      failures.push({ base, failure: answered.poor });
    } catch (error) {
      if (!(error instanceof UpstreamFailure) || error.kind === 'DEADLINE') throw error;
      if (error.kind !== 'HELD_BACK') report({ base, failure: error });
      if (life.isAborted || !error.retryable) throw error;
      failures.push({ base, failure: error });
    }
  }
  return { kind: 'FAILED', failures, poor };
}

/** What to tell of a round: the last word of a base that was asked, else what was held back for the least time. */
export function tellingFailure(failures: readonly BaseFailure[]): UpstreamFailure | null {
  const asked = failures.findLast(({ failure }) => failure.kind !== 'HELD_BACK');
  if (asked) return asked.failure;
  const seconds = ({ failure }: BaseFailure) => failure.retryAfterSeconds ?? Number.POSITIVE_INFINITY;
  const [soonest] = failures.toSorted((a, b) => seconds(a) - seconds(b));
  return soonest?.failure ?? null;
}
