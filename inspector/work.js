// @ts-check
// The work of a name. The page requests it in parallel with the directory's data. If metadata is off, the page says so.

import { createCitations } from './citations-view.js';
import { createCitedWorks } from './cited-works.js';
import { button, el, show } from './dom.js';
import { errorAt, failureOf, GatewayFailure, sendOperation } from './gateway.js';
import { say } from './say.js';
import { spelledOut } from './text.js';
import { createTurn } from './turn.js';
import { spokenOutcome } from './updates-view.js';
import { workFailureInWords } from './words.js';
import { WORK } from './work-queries.js';
import { workView } from './work-view.js';

/** @import { AnswerError, Doi } from './answers.js' */
/** @import { DescribedWork, WorkAnswer } from './work-answers.js' */

export const TITLES_OFF = 'Titles are turned off on this gateway.';

/** The reason why the updates of a work are unknown, in a few words. @param {string | undefined} code of the error */
export const unknownUpdates = (code) =>
  code === 'METADATA_OFF' ? 'not looked up by this gateway' : 'not known now';

/** @typedef {{ isRegistered: boolean, isEmbedded: boolean }} Registration the directory's data about the name */

/** @param {Element} holder @param {Element} citationHolder */
export function createWork(holder, citationHolder) {
  const turn = createTurn();
  /** @type {ReturnType<typeof createCitations> | null} */
  let citations = null;
  /** @type {ReturnType<typeof createCitedWorks> | null} */
  let citedWorks = null;
  /** Whether metadata is off in the gateway. Once true, it stays true until the page is closed. */
  let isOff = false;
  /** @type {Doi | null} */
  let current = null;
  /** @type {DescribedWork | 'nothing' | 'failed' | null} */
  let answer = null;
  /** @type {Registration | null} null until the directory has responded */
  let registration = null;

  return { wait, request, end, retry, putRegistration };

  /** Removes the work of another name. */
  function wait() {
    end();
    current = null;
    answer = null;
    show(citationHolder);
    if (isOff) putOff();
    else show(holder, el('p', { class: 'work waiting' }, 'asking what it is …'));
  }

  /** @param {Doi} doi */
  function request(doi) {
    wait();
    current = doi;
    registration = null;
    void run(doi);
  }

  function end() {
    turn.end();
    citations?.end();
    citedWorks?.end();
  }

  /** Repeats a request that failed. */
  function retry() {
    if (!current || answer !== 'failed') return;
    const doi = current;
    wait();
    current = doi;
    void run(doi);
  }

  /**
   * Shows nothing about the work of a name that does not exist.
   * @param {Registration} received
   * @returns {string} the sentence about the work for screen readers; empty while the work is unknown
   */
  function putRegistration(received) {
    registration = received;
    if (answer === 'nothing') putNothing();
    return isWork(answer) ? sentenceOf(answer) : '';
  }

  /** @param {Doi} doi */
  async function run(doi) {
    if (isOff) return;
    const signal = turn.begin();
    try {
      /** @type {{ data: WorkAnswer, errors: readonly AnswerError[] }} */
      const { data, errors } = await sendOperation(WORK, { input: doi.id }, signal);
      const error = errorAt(errors, 'metadata');
      if (error || !data.doi) throw failureOf(error ?? errors[0]);
      put(doi, data.doi, errorAt(errors, 'updates')?.extensions?.code);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      putFailure(error);
    }
  }

  /** @param {Doi} doi @param {DescribedWork} described @param {string | undefined} code why there are no updates */
  function put(doi, described, code) {
    const { metadata: work } = described;
    answer = work ? described : 'nothing';
    if (!work) return putNothing();
    citations = createCitations(doi);
    show(holder, workView(work, described, doi.name, unknownUpdates(code)));
    citedWorks = createCitedWorks(doi, work.referenceCount);
    show(citationHolder, citations.element, citedWorks.element);
    if (registration) say(sentenceOf(described));
  }

  function putNothing() {
    const words = registration?.isEmbedded
      ? 'No title of it is held in memory.'
      : 'Its agency gives no title.';
    show(holder, registration?.isRegistered && el('p', { class: 'work missing' }, words));
  }

  function putOff() {
    show(holder, el('p', { class: 'work missing' }, TITLES_OFF));
  }

  /** @param {GatewayFailure} failure */
  function putFailure({ message, code, retryable }) {
    if (code === 'METADATA_OFF') {
      isOff = true;
      return putOff();
    }
    answer = 'failed';
    const sentence = `Title and people are not known now: ${workFailureInWords(code, message)}`;
    const again = button('Try again', retry, { class: 'quiet' });
    show(holder, el('p', { class: 'work missing' }, el('bdi', {}, sentence), ' ', retryable && again));
  }
}

/** @param {DescribedWork | 'nothing' | 'failed' | null} answer @returns {answer is DescribedWork} */
function isWork(answer) {
  return typeof answer === 'object' && answer !== null;
}

/** @param {DescribedWork} described */
function sentenceOf({ metadata, updates }) {
  if (!metadata) return '';
  const { title, creators, issued } = metadata;
  const names = creators.slice(0, 1).map(({ name }) => name);
  const others = creators.length > 1 ? ` and ${creators.length - 1} more` : '';
  const parts = [title?.slice(0, 200), `${names.join('')}${others}`, issued && String(issued.year)];
  return `${spokenOutcome(updates)}${parts
    .filter(Boolean)
    .map((part) => spelledOut(String(part)))
    .join(', ')}.`;
}
