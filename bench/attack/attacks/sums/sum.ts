// A sum: small requests, each of them allowed, in parallel. One row is a face, an input and how many at once.

import { type Attack, attack, list, type Manner, type Options } from '../../attack.ts';
import type { Temper } from '../../hostile-directory.ts';

/** Requests wait for their admission until the operation's deadline. */
const LIMIT_MS = 40_000;

/** From few requests that are all admitted to many that have to wait. */
export const PARALLEL = [50, 150, 300] as const;

export interface SumOptions extends Options {
  readonly at?: readonly number[];
  readonly manner?: Manner;
}

/** One row for each number of requests in parallel. @param bytes of the nth request; a Buffer: all are the same */
export function sums(
  name: string,
  bytes: Buffer | ((n: number) => Buffer),
  { at = PARALLEL, ...options }: SumOptions = {},
): Attack[] {
  return at.map((count) =>
    attack(`sum: ${name} ×${count}`, bytes, {
      times: count,
      expect: 'shed',
      limitMs: LIMIT_MS,
      ...options,
    }),
  );
}

let lists = 0;

/** Names that no request has named before, which the directory treats as their temper says. */
export function cold(count: number, temper: Temper | 'agencies' = 'ordinary'): string[] {
  lists += 1;
  return list(count, (n) => `10.5555/${temper}-${lists}-${n}`);
}

/** As many as a request line holds: their names are short. */
export function coldDoiRa(count: number): string {
  lists += 1;
  return `/doiRA/${list(count, (n) => `10.5/${lists}-${n}`).join(',')}`;
}
