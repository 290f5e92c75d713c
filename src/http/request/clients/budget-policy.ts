// How many look-ups a client can make in a time window.

export interface BudgetPolicy {
  readonly quota: number;
  readonly windowSeconds: number;
}

const DEFAULT_BURST_SECONDS = 10;

/** @param burst the look-ups of one window; null: the look-ups of ten seconds */
export function policyOf(perSecond: number, burst: number | null): BudgetPolicy {
  const quota = burst ?? perSecond * DEFAULT_BURST_SECONDS;
  return { quota, windowSeconds: Math.ceil(quota / perSecond) };
}
