// @ts-check
// What was pasted: the form that was recognised, the name in its parts, warnings; or what is wrong, and where.

import { bounded } from './bounded.js';
import { el } from './dom.js';
import { markedPlace } from './place.js';
import { factList } from './plate.js';
import { code, longText } from './text.js';
import { count, formInWords } from './words.js';

/** @import { Doi, ParsedDoi, Problem } from './answers.js' */

/** @param {string} input @param {Problem} problem */
export function problemView(input, problem) {
  return el(
    'section',
    { class: 'plate problem', 'aria-labelledby': 'problem-title' },
    el(
      'h2',
      { id: 'problem-title' },
      el('span', { class: 'sign', 'aria-hidden': 'true' }, '✕'),
      'This is no DOI name',
    ),
    el('p', {}, el('bdi', {}, problem.message)),
    problem.position !== null && markedPlace(input, problem.position),
  );
}

/** @param {ParsedDoi} parsed @param {Doi} doi @param {Node} glance what the directory adds */
export function nameView({ form, fragment, proxyParameters }, doi, glance) {
  return el(
    'section',
    { class: 'plate name', 'aria-labelledby': 'name-title' },
    el('h2', { id: 'name-title' }, form ? `Read as ${formInWords(form)}` : 'Read as a DOI name'),
    anatomy(doi),
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
    doi.warnings.length > 0 && warningList(doi),
    glance,
  );
}

/** @param {Doi} doi */
function anatomy({ prefix, suffix }) {
  const part = (/** @type {string} */ text, /** @type {string} */ label) =>
    el(
      'span',
      { class: `part ${label}` },
      el('span', { class: 'part-text' }, longText(text, 500, 'ltr')),
      el('span', { class: 'part-label' }, label),
    );
  return el(
    'p',
    { class: 'anatomy', 'data-long': suffix.length > 40 },
    part(prefix, 'prefix'),
    el('span', { class: 'slash' }, '/'),
    part(suffix, 'suffix'),
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

/** @param {Doi} doi */
function warningList({ name, warnings }) {
  return el(
    'div',
    { class: 'warnings' },
    el(
      'h3',
      {},
      el('span', { class: 'sign', 'aria-hidden': 'true' }, '!'),
      `A legal name, with ${count(warnings.length, 'warning')}`,
    ),
    el(
      'ul',
      {},
      ...warnings.map(({ message, position }) =>
        el('li', {}, el('p', {}, el('bdi', {}, message)), position !== null && markedPlace(name, position)),
      ),
    ),
  );
}
