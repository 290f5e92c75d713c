// Whether what came of an attack is sane.

import type { Attack } from './attack.ts';
import type { Outcome } from './exchange.ts';

/** What is wrong with an outcome, in a few words; null when it is sane. */
export function faultOf({ expect, group, maxAnswerBytes, manner }: Attack, outcome: Outcome): string | null {
  const { status, bytes, code, hasErrors, hasInternalError, isJson, end } = outcome;
  if (hasInternalError) return 'INTERNAL_SERVER_ERROR';
  // Who is slow on purpose may be waited for longer than the attack lasts.
  if (end === 'too late') return expect === 'cut' && group !== null ? null : 'no answer in time';
  if (status !== null && !isSaneStatus(status)) return `status ${status}`;
  if (bytes > maxAnswerBytes) return `an answer of ${bytes} bytes`;
  if (expect === 'allowed' && status !== null && status !== 200) return `refused: ${status} ${code ?? ''}`;
  if (end === 'left' || expect === 'cut') return null;
  // The gateway closes what it cannot end as it began; a refusal is said.
  if (end === 'closed' && expect === 'shed' && status !== null) return null;
  if (end === 'closed' && manner.read === undefined) return 'closed without an answer';
  if (expect === 'allowed') return status === 200 && !hasErrors ? null : `refused: ${status} ${code ?? ''}`;
  if (expect === 'shed' && status === 503 && code !== null && code !== 'GATEWAY_BUSY') return `503 ${code}`;
  if (expect === 'graphql' && status !== null) {
    if (!isJson) return `status ${status}, no JSON`;
    if (status >= 400 && code === null) return `status ${status} without a code`;
  }
  return null;
}

/** Below 500, or what says that the directory or the request is at fault. */
function isSaneStatus(status: number): boolean {
  return status >= 200 && (status < 500 || [501, 502, 503, 504, 505].includes(status));
}

/** The answers in few words, most frequent first: `200 LIMIT_EXCEEDED ×10, closed ×2`. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>();
  for (const { status, code, hasErrors, end } of outcomes) {
    const answer = `${status ?? ''}${hasErrors ? ` ${code ?? 'errors'}` : ''}`.trim();
    const text = end === 'answered' ? answer : `${answer} ${end}`.trim();
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a).slice(0, 3);
  return sorted.map(([text, count]) => (count === 1 ? text : `${text} ×${count}`)).join(', ');
}
