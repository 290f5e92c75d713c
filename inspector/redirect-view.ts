// The target of the redirect, and the reason for this target.

import type { AnswerError, Redirect } from './answers.ts';
import { button, el } from './dom.ts';
import { missing } from './failure-view.ts';
import { plate } from './plate.ts';
import { bdi, code, link } from './text.ts';
import { choiceInWords, count, httpStatusInWords } from './words.ts';

/**
 * @param notes notes on the parameters of a pasted link
 * @param answer the element for the target and its reason
 * @param form the form that describes the reader
 */
export function redirectView(notes: Element, answer: Element, form: Element) {
  return plate('redirect', 'Where it leads', notes, answer, form);
}

/** @param again repeats the choice by weight */
export function decisionView(redirect: Redirect | null, error: AnswerError | null, again: () => void) {
  if (error?.extensions?.code === 'ALIAS_LOOP') {
    return el('div', { class: 'decision' }, nowhere(), missing(error.message));
  }
  if (!redirect) return missing(error?.message ?? 'There is no response.');
  const { url, statusCode, via, candidates, warnings, chosenBy } = redirect;
  return el(
    'div',
    { class: 'decision' },
    url === null
      ? nowhere()
      : el('p', { class: 'target' }, el('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'), link(url)),
    statusCode !== null &&
      el(
        'p',
        { class: 'status-line' },
        code(`HTTP ${statusCode}`, 'badge'),
        ` ${httpStatusInWords(statusCode)}`,
      ),
    el('p', {}, choiceInWords(redirect)),
    via.length > 0 && el('p', {}, `By way of ${count(via.length, 'alias', 'aliases')}, shown below.`),
    candidates.length > 1 && el('p', { class: 'missing' }, 'Candidates: ', ...candidateNames(candidates)),
    chosenBy === 'WEIGHTED' && candidates.length > 1 && button('Draw again', again, { class: 'quiet' }),
    warnings.length > 0 &&
      el(
        'ul',
        { class: 'notes' },
        ...warnings.map(({ message }) =>
          el(
            'li',
            { class: 'note' },
            el('span', { class: 'sign', 'aria-hidden': 'true' }, '!'),
            el('bdi', {}, message),
          ),
        ),
      ),
  );
}

const nowhere = () => el('p', { class: 'target nowhere' }, 'Nowhere');

const MAX_NAMED = 12;

function candidateNames(candidates: Redirect['candidates']) {
  const names = candidates
    .slice(0, MAX_NAMED)
    .flatMap(({ localId, href }, index) => [index > 0 && ', ', bdi(localId ?? href)]);
  return candidates.length > MAX_NAMED ? [...names, ` and ${candidates.length - MAX_NAMED} more`] : names;
}
