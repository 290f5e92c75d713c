// Compares the name with another name, while the user types one of the names.

import { aliasTargetView, compareView } from './compare-view.ts';
import { byId, el, show } from './dom.ts';
import { failureView } from './failure-view.ts';
import { GatewayFailure, graphiqlAddress, required, sendOperation } from './gateway.ts';
import { areComparable } from './lookalikes.ts';
import { isRunningText } from './running-text.ts';
import { say } from './say.ts';
import { createTurn, pause } from './turn.ts';

const DELAY_MS = 400;

export function createComparison() {
  const turn = createTurn();
  const result = byId('compare-result');

  return { compare };

  async function compare(a: string, b: string, typing: boolean) {
    const signal = turn.begin();
    if (a.trim() === '' || b.trim() === '' || isRunningText(a)) {
      const waits = b.trim() !== '' && !isRunningText(a);
      show(result, waits && el('p', { class: 'missing' }, 'Paste the first one into the field on top.'));
      return;
    }
    try {
      if (typing) await pause(DELAY_MS, signal);
      const { data, errors } = await sendOperation(
        'InspectTwo',
        { a, b, closely: areComparable(a, b) },
        signal,
      );
      const comparison = required(data.doiEquivalence, errors);
      const aliases = el('div', {}, el('p', { class: 'waiting' }, 'Following their aliases …'));
      show(result, compareView(comparison, aliases, graphiqlAddress('InspectTwo', { a, b })));
      if (byId('compare').contains(document.activeElement)) say(comparison.explanation);
      if (comparison.equivalent === null) return;
      const targets = await sendOperation('InspectTwoAliases', { a, b }, signal);
      show(aliases, aliasTargetView(targets.data, targets.errors[0]?.message ?? null));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      const { message, code, retryable } = error;
      show(
        result,
        failureView({ title: 'No comparison', message, code, retryable }, () => void compare(a, b, false)),
      );
    }
  }
}
