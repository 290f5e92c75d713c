// A sum: small requests, each of them allowed, in parallel. One row is a face, an input and how many at once.

import { type Attack, attack, type Options } from '../../attack.ts';
import type { Temper } from '../../hostile-directory.ts';
import { list } from '../../requests.ts';

/** Requests wait for their admission until the operation's deadline. */
const LIMIT_MS = 40_000;

/** From few requests that are all admitted to many that have to wait. */
export const PARALLEL: readonly number[] = [50, 150, 300];

export interface SumOptions extends Options {
  readonly at?: readonly number[];
}

/** A function: another request each time. */
export type SumBytes = Buffer | ((n: number) => Buffer);

/** One row for each number of requests in parallel. */
export function sums(
  name: string,
  bytes: SumBytes,
  { at = PARALLEL, ...options }: SumOptions = {},
): Attack[] {
  return at.map((times) =>
    attack(`sum: ${name} ×${times}`, bytes, { times, expect: 'shed', limitMs: LIMIT_MS, ...options }),
  );
}

/** The sums of a table. */
export const sumTable = (rows: Readonly<Record<string, readonly [SumBytes, SumOptions?]>>): Attack[] =>
  Object.entries(rows).flatMap(([name, [bytes, options]]) => sums(name, bytes, options));

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
