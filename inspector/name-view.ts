// Shows how the page reads the input: its form, the parts of the name and warnings, or the problem and its position.

import type { Handle, NameProblem, ParsedDoi, ReadAtOnce, ReadName, Warning } from './answers.ts';
import { bounded } from './bounded.ts';
import { button, el } from './dom.ts';
import { imitationList, imitationsIn, markedText } from './lookalikes.ts';
import { inspectLink, type Offer } from './offer.ts';
import { resolverOf } from './other-identifier.ts';
import { markedPlace } from './place.ts';
import { factList } from './plate.ts';
import { forReaders } from './reader-words.ts';
import { code, link, longText } from './text.ts';
import { count, formInWords, otherIdentifierInWords } from './words.ts';

export function problemView(input: string, problem: NameProblem) {
  return refusalView('This is no DOI name', ...reasons(input, problem));
}

/** Shows the offered name first, and the reason below it. */
export function offerView(input: string, problem: NameProblem, { words, doi, end }: Offer) {
  return el(
    'section',
    { class: 'plate offer', 'aria-labelledby': 'problem-title' },
    el('h2', { id: 'problem-title' }, `${words} `, el('span', {}, inspectLink(doi), end)),
    problem.code === 'SHORT_DOI'
      ? el('p', { class: 'why' }, 'A shortDOI is a short alias of a DOI name.')
      : el(
          'div',
          { class: 'why' },
          el('h3', {}, 'The input itself is no DOI name'),
          ...reasons(input, problem),
        ),
  );
}

function reasons(input: string, { message, looksLike, position }: NameProblem) {
  return [
    el('p', {}, el('bdi', {}, forReaders(message))),
    looksLike !== null && likeness(looksLike, input),
    position !== null && markedPlace(input, position),
  ];
}

function likeness(kind: string, input: string) {
  const resolver = resolverOf(kind, input);
  const words = `It looks like ${otherIdentifierInWords(kind)}`;
  if (!resolver) return el('p', {}, `${words}.`);
  return el('p', {}, `${words}, which ${resolver.words} finds: `, link(resolver.href), '.');
}

export function noNameView() {
  return refusalView(
    'There is no DOI name in this text',
    el('p', {}, 'A DOI name begins with “10.”, a number and a slash: ', code('10.1000/182'), '.'),
  );
}

function refusalView(title: string, ...content: (Node | false)[]) {
  return el(
    'section',
    { class: 'plate problem', 'aria-labelledby': 'problem-title' },
    el('h2', { id: 'problem-title' }, el('span', { class: 'sign', 'aria-hidden': 'true' }, '✕'), title),
    ...content,
  );
}

/**
 * @param others the views of the work and of the directory's data
 * @param listAll lists all DOI names in the input
 */
export function nameView(
  { form, fragment, proxyParameters }: ReadAtOnce,
  doi: ReadName,
  others: readonly Node[],
  listAll: () => void,
) {
  return el(
    'section',
    { class: 'plate name', 'aria-labelledby': 'name-title' },
    el('h2', { id: 'name-title' }, form ? `Read as ${formInWords(form)}` : 'Read as a DOI name'),
    anatomy(doi),
    ...others,
    doi.warnings.length > 0 && warningList(doi, listAll),
    factList([
      ['Directory indicator', code(doi.directoryIndicator)],
      ['Registrant code', code(doi.registrantCode)],
      ...(doi.canonicalName === doi.name
        ? []
        : [['Compared and stored as', longText(doi.canonicalName, 500, 'ltr')] as const]),
      ...(fragment === null ? [] : [['Fragment of the link', code(`#${fragment}`)] as const]),
      ...(proxyParameters.length === 0
        ? []
        : [['Asked of the proxy', parameterList(proxyParameters)] as const]),
    ]),
  );
}

/** @param others the view of the directory's data */
export function handleView(
  { id, prefix, suffix, url }: Handle,
  { problem, meant: [meant] }: ParsedDoi,
  others: readonly Node[],
) {
  return el(
    'section',
    { class: 'plate name', 'aria-labelledby': 'name-title' },
    el('h2', { id: 'name-title' }, 'Read as a handle'),
    anatomy({ prefix, suffix, warnings: [] }),
    ...others,
    factList([
      ['Link', link(url)],
      ['URI', longText(id, 500, 'ltr')],
      ['It is no DOI name', el('bdi', {}, forReaders(problem?.message ?? ''))],
      ...(meant ? [['Did you mean', inspectLink(meant.doi)] as const] : []),
    ]),
  );
}

/** The look-alike characters of a name with a warning about them. */
function imitationsOf({ characters = [], warnings }: Pick<ReadName, 'characters' | 'warnings'>) {
  return warnings.some(({ code: warning }) => warning === 'CONFUSABLE_CHARACTERS')
    ? imitationsIn(characters)
    : [];
}

function anatomy(doi: Pick<ReadName, 'prefix' | 'suffix' | 'characters' | 'warnings'>) {
  const { prefix, suffix, characters = [] } = doi;
  const imitations = imitationsOf(doi);
  const part = (text: Node, label: string) =>
    el(
      'span',
      { class: `part ${label}` },
      el('span', { class: 'part-text' }, text),
      el('span', { class: 'part-label' }, label),
    );
  // A prefix is ASCII, so each character is one UTF-16 unit.
  const before = prefix.length + 1;
  const places = imitations.map(({ position }) => position - before);
  return el(
    'p',
    { class: 'anatomy', 'data-long': suffix.length > 40 },
    part(longText(prefix, 500, 'ltr'), 'prefix'),
    el('span', { class: 'slash' }, '/'),
    part(
      places.length > 0 ? markedText(characters.slice(before), places) : longText(suffix, 500, 'ltr'),
      'suffix',
    ),
  );
}

function parameterList(parameters: ParsedDoi['proxyParameters']) {
  return bounded(parameters, 50, 'parameter', (some) =>
    el(
      'ul',
      { class: 'inline-list' },
      ...some.map(({ name, value }) => el('li', {}, code(value === null ? name : `${name}=${value}`))),
    ),
  );
}

function warningList(doi: ReadName, listAll: () => void) {
  return el(
    'div',
    { class: 'warnings' },
    el(
      'h3',
      {},
      el('span', { class: 'sign', 'aria-hidden': 'true' }, '!'),
      `A legal name, with ${count(doi.warnings.length, 'warning')}`,
    ),
    el('ul', {}, ...doi.warnings.map((warning) => warningItem(doi, warning, listAll))),
  );
}

function warningItem(
  doi: ReadName,
  { code: warning, message, position, repaired }: Warning,
  listAll: () => void,
) {
  const imitations = warning === 'CONFUSABLE_CHARACTERS' ? imitationsOf(doi) : [];
  return el(
    'li',
    {},
    el('p', {}, el('bdi', {}, forReaders(message))),
    imitations.length > 0 ? imitationList(imitations) : position !== null && markedPlace(doi.name, position),
    repaired && el('p', { class: 'repaired' }, 'Perhaps meant: ', inspectLink(repaired)),
    warning === 'SEVERAL_NAMES' &&
      el('p', {}, button('List all DOI names in it', listAll, { class: 'quiet' })),
  );
}
