import { ABSENT_LIFE_MS, LONGEST_LIFE_MS } from '../handle/freshness.ts';
import type { WhichRaAnswer, WhichRaVerdict } from './directory.ts';

/** What the Which RA service said just now: its answers come without a word on how long they hold. */
export function createWhichRaAnswer(verdict: WhichRaVerdict, answeredAt: number): WhichRaAnswer {
  const lifeMs = verdict.status === 'DOES_NOT_EXIST' ? ABSENT_LIFE_MS : LONGEST_LIFE_MS;
  return Object.freeze({ ...verdict, freshUntil: answeredAt + lifeMs, stale: false });
}
