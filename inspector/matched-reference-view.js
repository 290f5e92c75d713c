// @ts-check
// The work that a reference describes: the outcome, what agrees and what differs, other works, and buttons that copy.

import { copyButton } from './copy.js';
import { el, show } from './dom.js';
import { folded } from './folded.js';
import { errorAt, failureOf, GatewayFailure, sendOperation } from './gateway.js';
import { inspectLink } from './offer.js';
import { say } from './say.js';
import { briefly, longText } from './text.js';
import { count, detailInWords, matchInWords, workFailureInWords } from './words.js';
import { BIBTEX } from './work-queries.js';

/** @import { AnswerError, NamedDoi } from './answers.js' */
/** @import { CitationAnswer, Evidence, ReferenceMatch } from './work-answers.js' */

/** @type {Record<string, string>} */
const SIGNS = { FOUND: '✓', DIFFERS: '≠', NOT_FOUND: '–' };

/** @param {ReferenceMatch} match @param {AbortSignal} signal aborts all requests */
export function matchedReferenceView({ outcome, doi, evidence, candidates, sources }, signal) {
  const isFound = outcome === 'FOUND';
  const others = count(candidates.length, doi ? 'other work' : 'work');
  return el(
    'div',
    { class: `matched ${outcome.toLowerCase()}` },
    el(
      'p',
      {},
      el('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[outcome] ?? '?'),
      el('span', { class: 'outcome' }, matchInWords(outcome)),
      outcome === 'NOT_FOUND' && ` at ${sources.join(' or ')}. This does not mean that there is none.`,
    ),
    doi && workView(doi, evidence),
    doi && isFound && copyTools(doi, signal),
    !isFound &&
      candidates.length > 0 &&
      folded(`${others} compared`, (holder) =>
        show(holder, el('ul', {}, ...candidates.map((one) => el('li', {}, workView(one.doi, one.evidence))))),
      ),
  );
}

/** @param {NamedDoi} doi @param {readonly Evidence[]} evidence */
function workView(doi, evidence) {
  const title = evidence.find(({ detail }) => detail === 'TITLE')?.inWork ?? null;
  const year = evidence.find(({ detail }) => detail === 'YEAR')?.inWork ?? null;
  return el(
    'div',
    {},
    el('div', {}, title !== null && briefly(title), year !== null && ` (${year.slice(0, 20)})`),
    el('div', {}, inspectLink(doi)),
    el('ul', { class: 'evidence' }, ...evidence.map(mark)),
  );
}

/** @param {Evidence} evidence */
function mark({ detail, verdict, inReference, inWork }) {
  const words = detailInWords(detail);
  const sign = (/** @type {string} */ shape) => el('span', { 'aria-hidden': 'true' }, `${shape} `);
  if (verdict === 'AGREES')
    return el('li', { class: 'agrees' }, sign('✓'), words, el('span', { class: 'hidden' }, ' agrees'));
  if (verdict !== 'DIFFERS') return null;
  return el(
    'li',
    { class: 'differs' },
    sign('≠'),
    words,
    ' differs: the reference has ',
    inReference === null ? 'another one' : el('q', {}, briefly(inReference)),
    ', the work ',
    inWork === null ? 'none' : el('q', {}, briefly(inWork)),
  );
}

/** @param {NamedDoi} doi @param {AbortSignal} signal */
function copyTools(doi, signal) {
  const holder = el('div', {});
  /** @type {string | null} */
  let entry = null;
  const name = el('code', {}, doi.name);
  const element = el(
    'div',
    {},
    el(
      'div',
      { class: 'match-tools' },
      copyButton(doi.name, `DOI ${doi.name}`, () => put(name), 'Copy DOI'),
      copyButton(bibtex, `BibTeX of ${doi.name}`, () => put(longText(entry ?? '')), 'Copy BibTeX'),
    ),
    holder,
  );
  return element;

  /** Shows what the page could not copy. @param {HTMLElement} shown */
  function put(shown) {
    show(holder, shown);
    return shown;
  }

  /** Without an entry, shows the reason, and resolves to null. @returns {Promise<string | null>} */
  async function bibtex() {
    if (entry !== null) return entry;
    try {
      /** @type {{ data: CitationAnswer, errors: readonly AnswerError[] }} */
      const { data, errors } = await sendOperation(BIBTEX, { input: doi.id }, signal);
      const error = errorAt(errors, 'text');
      if (error || !data.doi) throw failureOf(error ?? errors[0]);
      entry = data.doi.text;
      if (entry === null) putReason('Its agency gives no BibTeX.');
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof GatewayFailure)) throw error;
      putReason(`There is no BibTeX now: ${workFailureInWords(error.code, error.message)}`);
    }
    return entry;
  }

  /** @param {string} sentence */
  function putReason(sentence) {
    put(el('p', { class: 'missing' }, el('bdi', {}, sentence)));
    say(sentence);
  }
}
