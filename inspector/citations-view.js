// @ts-check
// Citations to copy. The page requests a citation once, when the user chooses its format.

import { copyButton } from './copy.js';
import { button, el, show } from './dom.js';
import { downloadButton } from './download.js';
import { errorAt, failureOf, GatewayFailure, sendOperation } from './gateway.js';
import { say } from './say.js';
import { longText } from './text.js';
import { createTurn } from './turn.js';
import { workFailureInWords } from './words.js';
import { BIBTEX, CITATION, RIS } from './work-queries.js';

/** @import { NamedDoi } from './answers.js' */
/** @import { CitationAnswer } from './work-answers.js' */

/**
 * @typedef {object} Format
 * @property {string} label
 * @property {string} document
 * @property {string} [style] by its name in the CSL repository
 * @property {{ ending: string, type: string }} [file] the ending and the type of the downloaded file
 */

/** @type {readonly Format[]} */
const FORMATS = [
  { label: 'APA', document: CITATION, style: 'apa' },
  { label: 'MLA', document: CITATION, style: 'modern-language-association' },
  { label: 'Chicago', document: CITATION, style: 'chicago-author-date' },
  { label: 'Vancouver', document: CITATION, style: 'vancouver' },
  { label: 'BibTeX', document: BIBTEX, file: { ending: 'bib', type: 'application/x-bibtex' } },
  { label: 'RIS', document: RIS, file: { ending: 'ris', type: 'application/x-research-info-systems' } },
];

const MAX_SHOWN_CHARACTERS = 1_200;

/** @param {NamedDoi} doi */
export function createCitations({ id, name }) {
  const turn = createTurn();
  /** @type {Map<Format, string | null>} */
  const known = new Map();
  const output = el('div', { class: 'citation' });
  const choices = FORMATS.map((format) => ({
    format,
    choice: button(format.label, () => void choose(format), { 'aria-pressed': 'false' }),
  }));
  const element = el(
    'div',
    { class: 'cite' },
    el(
      'div',
      { class: 'cite-formats', role: 'group', 'aria-label': 'Cite it as' },
      el('span', { 'aria-hidden': 'true' }, 'Cite as'),
      ...choices.map(({ choice }) => choice),
    ),
    output,
  );
  return { element, end: turn.end };

  /** @param {Format} format */
  async function choose(format) {
    const signal = turn.begin();
    for (const { format: other, choice } of choices) {
      choice.setAttribute('aria-pressed', String(other === format));
    }
    const { label, document, style } = format;
    try {
      if (!known.has(format)) {
        show(output, el('p', { class: 'waiting' }, `asking for ${label} …`));
        const variables = style === undefined ? { input: id } : { input: id, style };
        /** @type {{ data: CitationAnswer, errors: readonly import('./answers.js').AnswerError[] }} */
        const { data, errors } = await sendOperation(document, variables, signal);
        const error = errorAt(errors, 'text');
        if (error || !data.doi) throw failureOf(error ?? errors[0]);
        known.set(format, data.doi.text);
      }
      put(format, known.get(format) ?? null);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      putFailure(format, error);
    }
  }

  /** @param {Format} format @param {string | null} text */
  function put({ label, file }, text) {
    if (text === null) {
      const sentence = `There is no citation as ${label}.`;
      show(output, el('p', { class: 'missing' }, sentence));
      return say(sentence);
    }
    const textView = longText(text, MAX_SHOWN_CHARACTERS);
    const fileName = `${name.replaceAll(/[^A-Za-z0-9.-]+/g, '_').slice(0, 80)}.${file?.ending}`;
    show(
      output,
      el('div', { class: file ? 'citation-text entry' : 'citation-text' }, textView),
      el(
        'p',
        { class: 'citation-tools' },
        copyButton(text, `the citation as ${label}`, () => textView),
        file && downloadButton(text, fileName, file.type),
      ),
    );
    say(`The page shows the citation as ${label}.`);
  }

  /** @param {Format} format @param {GatewayFailure} failure */
  function putFailure(format, { message, code, retryable }) {
    const sentence = `There is no citation as ${format.label} now: ${workFailureInWords(code, message)}`;
    const again = button(
      'Try again',
      () => {
        // The pressed button is no longer on the page, so the focus must move.
        choices.find(({ format: other }) => other === format)?.choice.focus();
        void choose(format);
      },
      { class: 'quiet' },
    );
    show(output, el('p', { class: 'missing' }, el('bdi', {}, sentence), ' ', retryable && again));
    say(sentence);
  }
}
