// What may help where the gateway has not answered, as its error says.

import type { GraphqlError } from './ask.ts';

/**
 * `smaller`: fewer names at once; `later`: the same again. `outage`: nothing for now, since the gateway has waited for
 * its directory: the same again would only wait again.
 */
export type Remedy = 'smaller' | 'later' | 'outage' | 'nothing';

const TOO_MUCH: ReadonlySet<string> = new Set(['TOO_MANY_LOOKUPS', 'LIMIT_EXCEEDED']);

export function remedyFor({ extensions }: GraphqlError): Remedy {
  if (TOO_MUCH.has(extensions.code)) return 'smaller';
  if (extensions['heldBack'] === true) return 'outage';
  return extensions['retryable'] === true ? 'later' : 'nothing';
}

/** How long to wait before anything is asked again; null where none of the errors says it. */
export function longestWaitSeconds(errors: readonly GraphqlError[]): number | null {
  let seconds: number | null = null;
  for (const { extensions } of errors) {
    const told = extensions['retryAfterSeconds'];
    if (typeof told === 'number' && told >= 0) seconds = Math.max(seconds ?? 0, told);
  }
  return seconds;
}
