// @ts-check
// What a work cites. The page requests the list when the reader opens it, and then the cited works, part by part.

import { citedWorksView } from './cited-works-view.js';
import { button, el, show } from './dom.js';
import { folded } from './folded.js';
import { errorAt, failureOf, GatewayFailure, sendOperation } from './gateway.js';
import { say } from './say.js';
import { createTurn } from './turn.js';
import { count, workFailureInWords } from './words.js';
import { LIST_TITLES, REFERENCES } from './work-queries.js';

/** @import { AnswerError, NamedDoi } from './answers.js' */
/** @import { CitedRow, CitedWorksView } from './cited-works-view.js' */
/** @import { ListTitlesAnswer, ReferencesAnswer } from './work-answers.js' */

/** The number of references that the page shows and looks up at first. The reader can request this many more. */
const PAGE = 100;
/** The number of works in one request. An agency's list request has as many. */
const AT_ONCE = 50;

/** @param {NamedDoi} doi @param {number | null} referenceCount null if the agency does not give it */
export function createCitedWorks({ id }, referenceCount) {
  const turn = createTurn();
  const element = folded(
    referenceCount ? `Cites ${count(referenceCount, 'work')}` : 'Cites',
    (holder) => void load(holder),
  );
  return { element, end: turn.end };

  /** @param {HTMLElement} holder */
  async function load(holder) {
    const signal = turn.begin();
    show(holder, el('p', { class: 'waiting' }, 'asking what it cites …'));
    try {
      /** @type {{ data: ReferencesAnswer, errors: readonly AnswerError[] }} */
      const { data, errors } = await sendOperation(REFERENCES, { input: id }, signal);
      const error = errorAt(errors, 'references');
      if (error || !data.doi) throw failureOf(error ?? errors[0]);
      const { references } = data.doi;
      if (references === null) return putNothing(holder, 'Its agency gives no list.');
      if (references.length === 0) return putNothing(holder, 'The list of its agency is empty.');
      /** @type {Set<CitedRow>} */
      const failed = new Set();
      const view = citedWorksView(references, PAGE, (rows) => void lookUp(view, rows, failed, signal));
      show(holder, view.element);
      view.next();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      putFailure(holder, error);
    }
  }

  /** @param {HTMLElement} holder @param {string} sentence */
  function putNothing(holder, sentence) {
    show(holder, el('p', { class: 'missing' }, sentence));
    say(sentence);
  }

  /** @param {HTMLElement} holder @param {GatewayFailure} failure */
  function putFailure(holder, { message, code, retryable }) {
    const sentence = `What it cites is not known now: ${workFailureInWords(code, message)}`;
    const again = () => {
      // The pressed button is no longer on the page, so the focus must move.
      element.querySelector('summary')?.focus();
      void load(holder);
    };
    show(holder, el('p', { class: 'missing' }, el('bdi', {}, sentence), ' ', retryable && tryAgain(again)));
    say(sentence);
  }
}

/** @param {() => void} again */
const tryAgain = (again) => button('Try again', again, { class: 'quiet' });

/**
 * @param {CitedWorksView} view
 * @param {readonly CitedRow[]} rows
 * @param {Set<CitedRow>} failed all rows of the view that a later request can fill
 * @param {AbortSignal} signal
 */
async function lookUp(view, rows, failed, signal) {
  const named = rows.filter(({ doi }) => doi !== null);
  for (const row of named) row.wait();
  for (let from = 0; from < named.length; from += AT_ONCE) {
    const part = named.slice(from, from + AT_ONCE);
    try {
      for (const row of await lookUpPart(part, signal)) failed.add(row);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      const { code, message, retryable } = error;
      for (const row of part) {
        row.put(null, unknownInWords('Title and retractions', code, message));
        if (retryable) failed.add(row);
      }
    }
  }
  if (failed.size > 0) {
    const sentence = `${count(failed.size, 'cited work')} could not be looked up.`;
    const again = () => {
      const repeated = [...failed];
      failed.clear();
      view.putFailure(null);
      view.focus();
      void lookUp(view, repeated, failed, signal);
    };
    view.putFailure(el('p', { class: 'missing' }, sentence, ' ', tryAgain(again)));
  }
  say(view.summary());
}

/**
 * Returns the rows that a later request can fill.
 * @param {readonly CitedRow[]} rows
 * @param {AbortSignal} signal
 */
async function lookUpPart(rows, signal) {
  const inputs = rows.map(({ doi }) => doi?.id);
  /** @type {{ data: ListTitlesAnswer, errors: readonly AnswerError[] }} */
  const { data, errors } = await sendOperation(LIST_TITLES, { inputs }, signal);
  return rows.filter((row, place) => {
    const error = errors.find(({ path }) => path?.[1] === place);
    const code = error?.extensions?.code ?? '';
    const work = data.dois[place] ?? null;
    const what = work?.metadata ? 'Retractions' : 'Title and retractions';
    row.put(work, error ? unknownInWords(what, code, error.message) : '');
    return error?.extensions?.retryable === true;
  });
}

/** @param {string} what @param {string} code @param {string} message */
function unknownInWords(what, code, message) {
  return code === 'METADATA_OFF'
    ? `${what} are not looked up by this gateway.`
    : `${what} are not known now: ${workFailureInWords(code, message)}`;
}
