// @ts-check
// Compares the name with another name, while the user types one of the names.

import { aliasTargetView, compareView } from './compare-view.js';
import { byId, el, show } from './dom.js';
import { failureView } from './failure-view.js';
import { GatewayFailure, graphiqlAddress, sendOperation } from './gateway.js';
import { areComparable } from './lookalikes.js';
import { ALIAS_TARGETS, COMPARE } from './queries.js';
import { isRunningText } from './running-text.js';
import { say } from './say.js';
import { createTurn, pause } from './turn.js';

/** @import { AliasTargetsAnswer, AnswerError, CompareAnswer } from './answers.js' */

const DELAY_MS = 400;

export function createComparison() {
  const turn = createTurn();
  const result = byId('compare-result');

  return { compare };

  /** @param {string} a @param {string} b @param {boolean} typing */
  async function compare(a, b, typing) {
    const signal = turn.begin();
    if (a.trim() === '' || b.trim() === '' || isRunningText(a)) {
      const waits = b.trim() !== '' && !isRunningText(a);
      show(result, waits && el('p', { class: 'missing' }, 'Paste the first one into the field on top.'));
      return;
    }
    try {
      if (typing) await pause(DELAY_MS, signal);
      /** @type {{ data: CompareAnswer }} */
      const { data } = await sendOperation(COMPARE, { a, b, closely: areComparable(a, b) }, signal);
      const aliases = el('div', {}, el('p', { class: 'waiting' }, 'Following their aliases …'));
      show(result, compareView(data.doiEquivalence, aliases, graphiqlAddress(COMPARE, { a, b })));
      if (byId('compare').contains(document.activeElement)) say(data.doiEquivalence.explanation);
      if (data.doiEquivalence.equivalent === null) return;
      /** @type {{ data: AliasTargetsAnswer, errors: readonly AnswerError[] }} */
      const targets = await sendOperation(ALIAS_TARGETS, { a, b }, signal);
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
