// @ts-check
// The DOI names in a text as a list. The page shows the list at once, and then adds the directory's responses part by part.

import { el, show } from './dom.js';
import { failureView } from './failure-view.js';
import { foundListView } from './found-list-view.js';
import { failureOf, GatewayFailure, sendOperation } from './gateway.js';
import { LIST } from './queries.js';
import { offerSearch } from './references-without.js';
import { say } from './say.js';
import { createStillAsking, STILL_ASKING } from './still-asking.js';
import { unlessAborted } from './turn.js';
import { count } from './words.js';
import { TITLES_OFF, unknownUpdates } from './work.js';
import { LIST_BIBTEX, LIST_TITLES } from './work-queries.js';

/** @import { AnswerError, ListAnswer, Match } from './answers.js' */
/** @import { ListBibtexAnswer, ListTitlesAnswer } from './work-answers.js' */

/** The number of rows that the page shows and looks up at first. The reader can request this many more rows. */
const PAGE = 100;
/** The number of names in one request. */
const AT_ONCE = 25;

const TOO_MANY_NAMES =
  'The text has more DOI names than the gateway finds in one request. Look up the rest of the text on its own.';

/**
 * @param {Element} holder
 * @param {string} text the text that contains the names
 * @param {readonly (Match | null)[]} found null at the end: the text has more names than one request may find
 * @param {boolean} isEmbedded whether the directory is embedded
 * @param {AbortSignal} signal aborts all requests
 */
export function showFoundList(holder, text, found, isEmbedded, signal) {
  const matches = found.filter((match) => match !== null);
  const isCut = matches.length < found.length;
  const view = foundListView(text, matches, isEmbedded, () => void fill(), bibtexOfAll);
  const stillAsking = createStillAsking();
  /** The requests for titles run one after the other, in parallel with the look-ups. */
  let titles = Promise.resolve();
  let areTitlesOff = false;
  signal.addEventListener('abort', stillAsking.end);
  show(holder, view.element, isCut && el('p', {}, TOO_MANY_NAMES));
  const searched = isCut ? text.slice(0, matches.at(-1)?.end) : text;
  void unlessAborted(signal, () => offerSearch(holder, searched, matches, signal));
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
      const { data, errors } = await sendOperation(LIST, { inputs }, signal);
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
      const { data, errors } = await sendOperation(LIST_TITLES, { inputs }, signal);
      areTitlesOff = errors.some(
        ({ path, extensions }) => path?.[2] === 'metadata' && extensions?.code === 'METADATA_OFF',
      );
      if (areTitlesOff) return view.putNote(TITLES_OFF);
      rows.forEach((row, place) => {
        const work = data.dois[place] ?? null;
        const failed = errors.filter(({ path }) => path?.[1] === place);
        const words = failed.some(({ path }) => path?.[2] === 'metadata') ? 'not known now' : 'no title';
        const code = work?.metadata && failed.find(({ path }) => path?.[2] === 'updates')?.extensions?.code;
        row.putWork(work, words, code ? unknownUpdates(code) : '');
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      for (const row of rows) row.putWork(null, 'not known now', '');
    }
  }

  /** One entry for each name. Without any entry, shows the reason, and resolves to null. @returns {Promise<string | null>} */
  async function bibtexOfAll() {
    const ids = [...new Map(matches.map(({ doi }) => [doi.canonicalName, doi.id])).values()];
    /** @type {string[]} */
    const entries = [];
    let failed = 0;
    try {
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const inputs = ids.slice(from, from + AT_ONCE);
        say(`${from} of ${count(ids.length, 'entry', 'entries')} …`);
        /** @type {{ data: ListBibtexAnswer, errors: readonly AnswerError[] }} */
        const { data, errors } = await sendOperation(LIST_BIBTEX, { inputs }, signal);
        if (errors.length === inputs.length && entries.length === 0) throw failureOf(errors[0]);
        failed += errors.length;
        for (const doi of data.dois) if (doi?.bibtex) entries.push(doi.bibtex.trimEnd());
      }
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof GatewayFailure)) throw error;
      return noBibtex(`There is no BibTeX now: ${error.message}`);
    }
    if (entries.length === 0 && failed === 0) return noBibtex('The agencies describe none of these names.');
    const without = ids.length - entries.length - failed;
    const words = [
      without > 0 && `${count(without, 'name')} without metadata`,
      failed > 0 && `${count(failed, 'name')} whose entry is not known now`,
    ].filter(Boolean);
    view.putNote(words.length > 0 ? `The file leaves out ${words.join(' and ')}.` : '');
    return `${entries.join('\n\n')}\n`;
  }

  /** @param {string} sentence */
  function noBibtex(sentence) {
    view.putNote(sentence);
    say(sentence);
    return null;
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
    const { lookedUp, registered } = view.counts();
    const names = count(matches.length, 'DOI name');
    return `${names} in this text. ${registered} of ${lookedUp} are in the directory.`;
  }
}
