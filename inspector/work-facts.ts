// More about a work: licences, funding, affiliations and abstract. The last two are folded.

import type { Creator, Funding, License, Work } from './answers.ts';
import { bounded } from './bounded.ts';
import { type Child, el, show } from './dom.ts';
import { folded } from './folded.ts';
import { briefly, longText, webLink } from './text.ts';
import { count } from './words.ts';

const MAX_SHOWN = 5;
const MAX_AFFILIATIONS = 50;
const MAX_PEOPLE = 5;
/** A longer abstract has a button for the rest. */
const MAX_ABSTRACT_CHARACTERS = 3_000;

/** The kind of the work as the first words of a line: `Book chapter`. Empty if it is unknown. */
export function workKindInWords(kind: string) {
  const words = kind === 'OTHER' ? '' : kind.toLowerCase().replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

export function workFacts({ licenses, funding, creators, abstract }: Work): Child[] {
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

function factLine<Item>(label: string, items: readonly Item[], view: (item: Item) => Child[]) {
  if (items.length === 0) return null;
  const line = (some: readonly Item[]) =>
    el(
      'p',
      { class: 'related' },
      `${label}: `,
      ...some.flatMap((item, at) => [at > 0 && '; ', ...view(item)]),
    );
  return bounded(items, MAX_SHOWN, 'entry', line, 'entries');
}

function licenseView({ url, name, spdx, appliesTo }: License): Child[] {
  return [
    webLink(spdx ?? name ?? url ?? 'unknown', url),
    appliesTo !== null && ' (',
    appliesTo !== null && briefly(VERSIONS.get(appliesTo) ?? appliesTo),
    appliesTo !== null && ')',
  ];
}

/** Crossref's words for the version that has a licence. */
const VERSIONS: ReadonlyMap<string, string> = new Map([
  ['vor', 'version of record'],
  ['am', 'accepted manuscript'],
  ['tdm', 'text mining'],
]);

function fundingView({ funder, funderId, awardNumber, awardTitle, awardUrl }: Funding): Child[] {
  const award = awardNumber ?? awardTitle ?? awardUrl;
  return [webLink(funder, funderId), award !== null && ', ', award !== null && webLink(award, awardUrl)];
}

function peopleByAffiliation(creators: readonly Creator[]): ReadonlyMap<string, readonly string[]> {
  const people = new Map<string, string[]>();
  for (const { name: person, affiliations } of creators) {
    for (const { name } of affiliations) {
      const known = people.get(name);
      if (known) known.push(person);
      else people.set(name, [person]);
    }
  }
  return people;
}

function affiliationList(
  affiliations: readonly (readonly [affiliation: string, people: readonly string[]])[],
) {
  return bounded(affiliations, MAX_AFFILIATIONS, 'affiliation', (some) =>
    el('ul', {}, ...some.map(([name, people]) => el('li', {}, briefly(name), personList(people)))),
  );
}

function personList(people: readonly string[]) {
  const more = people.length - MAX_PEOPLE;
  const shown = people.slice(0, MAX_PEOPLE).flatMap((person, at) => [at > 0 && ', ', briefly(person)]);
  return el('small', {}, ...shown, more > 0 && ` and ${more.toLocaleString('en')} more`);
}
