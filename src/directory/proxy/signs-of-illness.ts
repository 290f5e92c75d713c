// What of a request's failure may be the directory's own, and how much of it is enough to look.

import type { FailureKind, UpstreamFailure } from './upstream-failure.ts';

export interface SignsOfIllness {
  /** @param name what was asked about: one that fails again counts no more than once */
  add(name: string): void;
  /** Whether so many names have failed that it is hardly due to them. */
  areEnough(): boolean;
  /** What has just been answered takes all signs away. */
  clear(): void;
}

/** One name, and a few of one server's, can fail with nothing wrong with the directory. */
const NAMES = 5;

const NO_ANSWER: ReadonlySet<FailureKind> = new Set(['NO_CONNECTION', 'UNREACHABLE', 'TIMEOUT', 'TOO_LARGE']);

/** No whole response, too many bytes, or a 5xx. After a 4xx or an unreadable response the directory is there. */
export function isSignOfIllness({ kind, status }: UpstreamFailure): boolean {
  return NO_ANSWER.has(kind) || (kind === 'STATUS' && status !== null && status >= 500);
}

export function createSignsOfIllness(): SignsOfIllness {
  const names = new Set<string>();
  return {
    add(name) {
      if (names.size < NAMES) names.add(name);
    },
    areEnough: () => names.size === NAMES,
    clear: () => names.clear(),
  };
}
