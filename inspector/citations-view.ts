// Citations to copy. The page requests a citation once, when the user chooses its format.

import type { NamedDoi } from './answers.ts';
import { copyButton } from './copy.ts';
import { button, el, show } from './dom.ts';
import { downloadButton } from './download.ts';
import { errorAt, failureOf, GatewayFailure, sendOperation } from './gateway.ts';
import { say } from './say.ts';
import { longText } from './text.ts';
import { createTurn } from './turn.ts';
import { workFailureInWords } from './words.ts';

interface Format {
  readonly label: string;
  readonly operation: 'InspectCitation' | 'InspectBibtex' | 'InspectRis';
  /** by its name in the CSL repository */
  readonly style?: string;
  /** the ending and the type of the downloaded file */
  readonly file?: { readonly ending: string; readonly type: string };
}

const FORMATS: readonly Format[] = [
  { label: 'APA', operation: 'InspectCitation', style: 'apa' },
  { label: 'MLA', operation: 'InspectCitation', style: 'modern-language-association' },
  { label: 'Chicago', operation: 'InspectCitation', style: 'chicago-author-date' },
  { label: 'Vancouver', operation: 'InspectCitation', style: 'vancouver' },
  { label: 'BibTeX', operation: 'InspectBibtex', file: { ending: 'bib', type: 'application/x-bibtex' } },
  {
    label: 'RIS',
    operation: 'InspectRis',
    file: { ending: 'ris', type: 'application/x-research-info-systems' },
  },
];

const MAX_SHOWN_CHARACTERS = 1_200;

export function createCitations({ id, name }: NamedDoi) {
  const turn = createTurn();
  const known = new Map<Format, string | null>();
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

  async function choose(format: Format) {
    const signal = turn.begin();
    for (const { format: other, choice } of choices) {
      choice.setAttribute('aria-pressed', String(other === format));
    }
    const { label, operation, style } = format;
    try {
      if (!known.has(format)) {
        show(output, el('p', { class: 'waiting' }, `looking up ${label} …`));
        const variables = style === undefined ? { input: id } : { input: id, style };
        const { data, errors } = await sendOperation(operation, variables, signal);
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

  function put({ label, file }: Format, text: string | null) {
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

  function putFailure(format: Format, { message, code, retryable }: GatewayFailure) {
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
