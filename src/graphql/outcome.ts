export type OperationOutcome = 'ok' | 'partial' | 'failed';

/** `partial` has errors and data, though the data may be null in all its places. */
export function outcomeOf({
  data,
  errors,
}: {
  readonly data?: unknown;
  readonly errors?: readonly unknown[] | undefined;
}): OperationOutcome {
  if (!errors?.length) return 'ok';
  return data ? 'partial' : 'failed';
}
