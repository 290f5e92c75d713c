// @ts-check
// More about a work: licences, funding, affiliations and abstract. The last two are folded.

import { bounded } from './bounded.js';
import { el, show } from './dom.js';
import { folded } from './folded.js';
import { briefly, longText, webLink } from './text.js';
import { count } from './words.js';

/** @import { Child } from './dom.js' */
/** @import { Creator, Funding, License, Work } from './work-answers.js' */

const MAX_SHOWN = 5;
const MAX_AFFILIATIONS = 50;
const MAX_PEOPLE = 5;
/** A longer abstract has a button for the rest. */
const MAX_ABSTRACT_CHARACTERS = 3_000;

/** The kind of the work as the first words of a line: `Book chapter`. Empty if it is unknown. @param {string} kind */
export function workKindInWords(kind) {
  const words = kind === 'OTHER' ? '' : kind.toLowerCase().replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** @param {Work} work @returns {Child[]} */
export function workFacts({ licenses, funding, creators, abstract }) {
  const affiliations = peopleByAffiliation(creators);
  return [
    factLine('Licence', licenses, licenseView),
    factLine('Funded by', funding, fundingView),
    affiliations.size > 0 &&
      folded(count(affiliations.size, 'affiliation'), (holder) =>
        show(holder, affiliationList([...affiliations])),
      ),
    abstract !== null &&
      folded('Abstract', (holder) =>
        show(holder, el('div', { class: 'abstract' }, longText(abstract, MAX_ABSTRACT_CHARACTERS))),
      ),
  ];
}

/**
 * @template Item
 * @param {string} label
 * @param {readonly Item[]} items
 * @param {(item: Item) => Child[]} view
 */
function factLine(label, items, view) {
  if (items.length === 0) return null;
  const line = (/** @type {readonly Item[]} */ some) =>
    el(
      'p',
      { class: 'related' },
      `${label}: `,
      ...some.flatMap((item, at) => [at > 0 && '; ', ...view(item)]),
    );
  return bounded(items, MAX_SHOWN, 'entry', line, 'entries');
}

/** @param {License} license @returns {Child[]} */
function licenseView({ url, name, spdx, appliesTo }) {
  return [
    webLink(spdx ?? name ?? url ?? 'unknown', url),
    appliesTo !== null && ' (',
    appliesTo !== null && briefly(VERSIONS.get(appliesTo) ?? appliesTo),
    appliesTo !== null && ')',
  ];
}

/** Crossref's words for the version that has a licence. @type {ReadonlyMap<string, string>} */
const VERSIONS = new Map([
  ['vor', 'version of record'],
  ['am', 'accepted manuscript'],
  ['tdm', 'text mining'],
]);

/** @param {Funding} funding @returns {Child[]} */
function fundingView({ funder, funderId, awardNumber, awardTitle, awardUrl }) {
  const award = awardNumber ?? awardTitle ?? awardUrl;
  return [webLink(funder, funderId), award !== null && ', ', award !== null && webLink(award, awardUrl)];
}

/** @param {readonly Creator[]} creators @returns {ReadonlyMap<string, readonly string[]>} */
function peopleByAffiliation(creators) {
  /** @type {Map<string, string[]>} */
  const people = new Map();
  for (const { name: person, affiliations } of creators) {
    for (const { name } of affiliations) {
      const known = people.get(name);
      if (known) known.push(person);
      else people.set(name, [person]);
    }
  }
  return people;
}

/** @param {readonly (readonly [affiliation: string, people: readonly string[]])[]} affiliations */
function affiliationList(affiliations) {
  return bounded(affiliations, MAX_AFFILIATIONS, 'affiliation', (some) =>
    el('ul', {}, ...some.map(([name, people]) => el('li', {}, briefly(name), personList(people)))),
  );
}

/** @param {readonly string[]} people */
function personList(people) {
  const more = people.length - MAX_PEOPLE;
  const shown = people.slice(0, MAX_PEOPLE).flatMap((person, at) => [at > 0 && ', ', briefly(person)]);
  return el('small', {}, ...shown, more > 0 && ` and ${more.toLocaleString('en')} more`);
}
