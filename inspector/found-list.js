// @ts-check
// The DOI names in a text as a list: shown at once, then filled in with what the directory knows, a part at a time.

import { show } from './dom.js';
import { failureView } from './failure-view.js';
import { foundListView } from './found-list-view.js';
import { ask, GatewayFailure } from './gateway.js';
import { LIST } from './queries.js';
import { say } from './say.js';
import { count } from './words.js';

/** @import { AnswerError, ListAnswer, Match } from './answers.js' */

/** So many rows are shown and asked for, until a reader wants more. */
const PAGE = 100;
/** So many names go into one request. */
const AT_ONCE = 25;

/**
 * @param {Element} holder
 * @param {string} text that they were found in
 * @param {readonly Match[]} matches
 * @param {boolean} isEmbedded the directory is records in memory
 * @param {AbortSignal} signal ends it all
 */
export function showFoundList(holder, text, matches, isEmbedded, signal) {
  const view = foundListView(text, matches, isEmbedded, () => void fill());
  show(holder, view.element);
  void fill();

  async function fill() {
    try {
      const rows = view.nextRows(PAGE);
      for (let from = 0; from < rows.length; from += AT_ONCE) {
        await fillRows(rows.slice(from, from + AT_ONCE));
      }
      if (rows.length > 0) say(summary());
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** @param {readonly import('./found-list-view.js').Row[]} rows */
  async function fillRows(rows) {
    const inputs = rows.map(({ match }) => match.doi.id);
    try {
      /** @type {{ data: ListAnswer, errors: readonly AnswerError[] }} */
      const { data, errors } = await ask(LIST, { inputs }, signal);
      rows.forEach((row, place) => {
        const error = errors.find(({ path }) => path?.[1] === place);
        row.put(data.dois[place] ?? null, error?.message ?? null);
      });
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error;
      for (const row of rows) row.put(null, error.message);
      const { message, code, retryable } = error;
      const again = () => void retry(rows);
      view.putFailure(failureView({ title: 'Some rows have no answer', message, code, retryable }, again));
    }
  }

  /** @param {readonly import('./found-list-view.js').Row[]} rows */
  async function retry(rows) {
    view.putFailure(null);
    try {
      await fillRows(rows);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  function summary() {
    const { asked, registered } = view.counts();
    const names = count(matches.length, 'DOI name');
    return `${names} in this text. ${registered} of ${asked} are in the directory.`;
  }
}
