// The three facts that most readers want: whether the name is registered, by which agency, and where it leads.

import { addressOf } from './address.ts';
import type { DirectoryDoi } from './answers.ts';
import { type Child, el } from './dom.ts';
import { bdi, code, link } from './text.ts';
import { count, statusInWords } from './words.ts';

/** Only a DOI name has an agency. @param id of a DOI or of another handle */
const termsOf = (id: string) => [
  'In the directory',
  ...(id.startsWith('doi:') ? ['Registered by'] : []),
  'Leads to',
];

export function glanceWaiting(id: string) {
  return glance(termsOf(id).map((term) => [term, el('span', { class: 'waiting' }, 'looking up …')]));
}

/** @param retryable whether a later request can succeed */
export function glanceFailed(id: string, retryable: boolean) {
  const words = retryable ? 'not known now' : 'not known';
  return glance(termsOf(id).map((term) => [term, missing(words)]));
}

interface Circumstances {
  /** whether the directory is embedded */
  readonly isEmbedded: boolean;
  /** whether the aliases never end */
  readonly isLoop: boolean;
  /** the page that the link requests instead of a redirect */
  readonly shows: 'record' | 'locations' | null;
}

export function glanceView(doi: DirectoryDoi, circumstances: Circumstances) {
  const { record, registrationAgency, whichRa, suggestions } = doi;
  const { isEmbedded } = circumstances;
  const isElsewhere = isEmbedded && record?.status === 'HANDLE_NOT_FOUND';
  const noAgency = missing(isElsewhere ? 'not known here' : whichRa ? 'no agency named' : 'not known now');
  /** by their terms */
  const facts: Record<string, Child> = {
    'In the directory': record
      ? standing(record.status, record.values.length, isEmbedded)
      : missing('not known now'),
    'Registered by': registrationAgency
      ? el('span', {}, bdi(registrationAgency.title ?? registrationAgency.name))
      : noAgency,
    'Leads to': isElsewhere ? missing('not known here') : target(doi, circumstances),
  };
  return el(
    'div',
    {},
    glance(termsOf(doi.id).map((term) => [term, facts[term]])),
    suggestions && suggestions.length > 0 && suggestionList(suggestions),
  );
}

function target({ redirect }: DirectoryDoi, { isLoop, shows }: Circumstances) {
  if (isLoop) return 'nowhere: the alias leads back to itself, or never ends';
  if (!redirect) return missing('not known now');
  const end = redirect.url === null ? 'nowhere' : link(redirect.url, 120);
  if (shows === null) return end;
  return el('div', {}, `the proxy’s own page with the ${shows}`, el('small', {}, 'without that: ', end));
}

function missing(words: string) {
  return el('span', { class: 'missing' }, words);
}

function glance(facts: readonly (readonly [term: string, fact: Child])[]) {
  return el(
    'dl',
    { class: 'glance' },
    ...facts.map(([term, fact]) => el('div', {}, el('dt', {}, term), el('dd', {}, fact))),
  );
}

function standing(status: string, values: number, isEmbedded: boolean) {
  const found = status === 'SUCCESS' || status === 'VALUES_NOT_FOUND';
  const isElsewhere = isEmbedded && status === 'HANDLE_NOT_FOUND';
  return el(
    'span',
    { class: `standing ${found ? 'found' : isElsewhere ? 'elsewhere' : 'absent'}` },
    el('span', { class: 'sign', 'aria-hidden': 'true' }, found ? '✓' : isElsewhere ? '–' : '✕'),
    statusInWords(status, isEmbedded),
    status === 'SUCCESS' && ` · ${count(values, 'value')}`,
  );
}

function suggestionList(suggestions: NonNullable<DirectoryDoi['suggestions']>) {
  return el(
    'div',
    { class: 'suggestions' },
    el('p', {}, 'Did you mean'),
    el(
      'ul',
      {},
      ...suggestions.map(({ id, name }) =>
        el('li', {}, el('a', { class: 'inspect', href: addressOf({ doi: id, other: '' }) }, code(name))),
      ),
    ),
  );
}
