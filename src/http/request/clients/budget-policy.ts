// How many look-ups a client can make in a time window.

export interface BudgetPolicy {
  readonly quota: number;
  readonly windowSeconds: number;
}

const DEFAULT_WINDOW_SECONDS = 10;

/** @param burst the look-ups that a client can make at once; null: ten times `perSecond` */
export function policyOf(perSecond: number, burst: number | null): BudgetPolicy {
  const quota = burst ?? perSecond * DEFAULT_WINDOW_SECONDS;
  return { quota, windowSeconds: Math.ceil(quota / perSecond) };
}
