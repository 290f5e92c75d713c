// @ts-check
// The DOI names in a text as a list: shown at once, then completed with the directory's answers, a part at a time.

import { show } from './dom.js';
import { failureView } from './failure-view.js';
import { foundListView } from './found-list-view.js';
import { ask, GatewayFailure } from './gateway.js';
import { LIST } from './queries.js';
import { say } from './say.js';
import { createStillAsking, STILL_ASKING } from './still-asking.js';
import { count } from './words.js';
import { TITLES_OFF } from './work.js';
import { LIST_TITLES } from './work-queries.js';

/** @import { AnswerError, ListAnswer, ListTitlesAnswer, Match } from './answers.js' */

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
  const stillAsking = createStillAsking();
  /** A part at a time, beside the directory's answers. */
  let titles = Promise.resolve();
  let areTitlesOff = false;
  signal.addEventListener('abort', stillAsking.end);
  show(holder, view.element);
  void fill();

  async function fill() {
    try {
      const rows = view.nextRows(PAGE);
      for (let from = 0; from < rows.length; from += AT_ONCE) {
        const part = rows.slice(from, from + AT_ONCE);
        await fillRows(part);
        titles = titles.then(() => fillTitles(part));
      }
      if (rows.length > 0) say(summary());
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** @param {readonly import('./found-list-view.js').Row[]} rows */
  async function fillRows(rows) {
    const inputs = rows.map(({ match }) => match.doi.id);
    stillAsking.begin(() => view.putNote(STILL_ASKING));
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
    } finally {
      stillAsking.end();
      view.putNote(areTitlesOff ? TITLES_OFF : '');
    }
  }

  /** @param {readonly import('./found-list-view.js').Row[]} all */
  async function fillTitles(all) {
    const rows = all.filter((row) => !row.isAbsent());
    if (areTitlesOff || rows.length === 0) return;
    try {
      const inputs = rows.map(({ match }) => match.doi.id);
      /** @type {{ data: ListTitlesAnswer, errors: readonly AnswerError[] }} */
      const { data, errors } = await ask(LIST_TITLES, { inputs }, signal);
      areTitlesOff = errors.some(({ extensions }) => extensions?.code === 'METADATA_OFF');
      if (areTitlesOff) return view.putNote(TITLES_OFF);
      rows.forEach((row, place) => {
        const hasFailed = errors.some(({ path }) => path?.[1] === place);
        row.putTitle(data.dois[place]?.metadata?.title ?? null, hasFailed ? 'not known now' : 'no title');
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      for (const row of rows) row.putTitle(null, 'not known now');
    }
  }

  /** @param {readonly import('./found-list-view.js').Row[]} rows */
  async function retry(rows) {
    view.putFailure(null);
    try {
      await fillRows(rows);
      titles = titles.then(() => fillTitles(rows));
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
