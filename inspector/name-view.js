// @ts-check
// Shows how the page reads the input: its form, the parts of the name and warnings, or the problem and its position.

import { bounded } from './bounded.js';
import { button, el } from './dom.js';
import { imitationList, imitationsIn, markedText } from './lookalikes.js';
import { inspectLink } from './offer.js';
import { resolverOf } from './other-identifier.js';
import { markedPlace } from './place.js';
import { factList } from './plate.js';
import { forReaders } from './reader-words.js';
import { code, link, longText } from './text.js';
import { count, formInWords, otherIdentifierInWords } from './words.js';

/** @import { Handle, NameProblem, ParsedDoi, ReadAtOnce, ReadName, Warning } from './answers.js' */
/** @import { Offer } from './offer.js' */

/** @param {string} input @param {NameProblem} problem */
export function problemView(input, problem) {
  return refusalView('This is no DOI name', ...reasons(input, problem));
}

/**
 * Shows the offered name first, and the reason below it.
 * @param {string} input
 * @param {NameProblem} problem
 * @param {Offer} offer
 */
export function offerView(input, problem, { words, doi, end }) {
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

/** @param {string} input @param {NameProblem} problem */
function reasons(input, { message, looksLike, position }) {
  return [
    el('p', {}, el('bdi', {}, forReaders(message))),
    looksLike !== null && likeness(looksLike, input),
    position !== null && markedPlace(input, position),
  ];
}

/** @param {string} kind @param {string} input */
function likeness(kind, input) {
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

/** @param {string} title @param {...(Node | false)} content */
function refusalView(title, ...content) {
  return el(
    'section',
    { class: 'plate problem', 'aria-labelledby': 'problem-title' },
    el('h2', { id: 'problem-title' }, el('span', { class: 'sign', 'aria-hidden': 'true' }, '✕'), title),
    ...content,
  );
}

/**
 * @param {ReadAtOnce} parsed
 * @param {ReadName} doi
 * @param {readonly Node[]} others the views of the work and of the directory's data
 * @param {() => void} listAll lists all DOI names in the input
 */
export function nameView({ form, fragment, proxyParameters }, doi, others, listAll) {
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
        : [/** @type {const} */ (['Compared and stored as', longText(doi.canonicalName, 500, 'ltr')])]),
      ...(fragment === null ? [] : [/** @type {const} */ (['Fragment of the link', code(`#${fragment}`)])]),
      ...(proxyParameters.length === 0
        ? []
        : [/** @type {const} */ (['Asked of the proxy', parameterList(proxyParameters)])]),
    ]),
  );
}

/**
 * @param {Handle} handle
 * @param {ParsedDoi} parsed
 * @param {readonly Node[]} others the view of the directory's data
 */
export function handleView({ id, prefix, suffix, url }, { problem, meant: [meant] }, others) {
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
      ...(meant ? [/** @type {const} */ (['Did you mean', inspectLink(meant.doi)])] : []),
    ]),
  );
}

/** The look-alike characters of a name with a warning about them. @param {Pick<ReadName, 'characters' | 'warnings'>} doi */
function imitationsOf({ characters = [], warnings }) {
  return warnings.some(({ code: warning }) => warning === 'CONFUSABLE_CHARACTERS')
    ? imitationsIn(characters)
    : [];
}

/** @param {Pick<ReadName, 'prefix' | 'suffix' | 'characters' | 'warnings'>} doi */
function anatomy(doi) {
  const { prefix, suffix, characters = [] } = doi;
  const imitations = imitationsOf(doi);
  const part = (/** @type {Node} */ text, /** @type {string} */ label) =>
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

/** @param {ParsedDoi['proxyParameters']} parameters */
function parameterList(parameters) {
  return bounded(parameters, 50, 'parameter', (some) =>
    el(
      'ul',
      { class: 'inline-list' },
      ...some.map(({ name, value }) => el('li', {}, code(value === null ? name : `${name}=${value}`))),
    ),
  );
}

/** @param {ReadName} doi @param {() => void} listAll */
function warningList(doi, listAll) {
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

/** @param {ReadName} doi @param {Warning} warning @param {() => void} listAll */
function warningItem(doi, { code: warning, message, position, repaired }, listAll) {
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
