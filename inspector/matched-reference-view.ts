// The work that a reference describes: the outcome, what agrees and what differs, other works, and buttons that copy.

import type { Evidence, NamedDoi, ReferenceMatch } from './answers.ts';
import { copyButton } from './copy.ts';
import { el, show } from './dom.ts';
import { folded } from './folded.ts';
import { errorAt, failureOf, GatewayFailure, sendOperation } from './gateway.ts';
import { inspectLink } from './offer.ts';
import { say } from './say.ts';
import { briefly, longText } from './text.ts';
import { count, detailInWords, matchInWords, workFailureInWords } from './words.ts';

const SIGNS: Record<string, string> = { FOUND: '✓', DIFFERS: '≠', NOT_FOUND: '–' };

/** @param signal aborts all requests */
export function matchedReferenceView(
  { outcome, doi, evidence, candidates, sources }: ReferenceMatch,
  signal: AbortSignal,
) {
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

function workView(doi: NamedDoi, evidence: readonly Evidence[]) {
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

function mark({ detail, verdict, inReference, inWork }: Evidence) {
  const words = detailInWords(detail);
  const sign = (shape: string) => el('span', { 'aria-hidden': 'true' }, `${shape} `);
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

function copyTools(doi: NamedDoi, signal: AbortSignal) {
  const holder = el('div', {});
  let entry: string | null = null;
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

  /** Shows what the page could not copy. */
  function put(shown: HTMLElement) {
    show(holder, shown);
    return shown;
  }

  /** Without an entry, shows the reason, and resolves to null. */
  async function bibtex(): Promise<string | null> {
    if (entry !== null) return entry;
    try {
      const { data, errors } = await sendOperation('InspectBibtex', { input: doi.id }, signal);
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

  function putReason(sentence: string) {
    put(el('p', { class: 'missing' }, el('bdi', {}, sentence)));
    say(sentence);
  }
}
