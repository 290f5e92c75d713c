// Reads the affiliations of a person, and ROR identifiers of people and organizations.
// https://ror.readme.io/docs/identifier

import { type AgencyObject, isObject, listOf, members, word } from './agency-json.ts';
import { type CharacterBudget, type MarkupBudget, plainWithin } from './markup-budget.ts';
import { WORK_LIMITS } from './work-limits.ts';

export interface Affiliation {
  readonly name: string;
  /** `https://ror.org/03yrm5c26` */
  readonly ror: string | null;
}

/** `https://ror.org/03yrm5c26`, `ror.org/03yrm5c26`, `03yrm5c26` */
const ROR = /^(?:(?:https?:\/\/)?(?:www\.)?ror\.org\/)?(0[a-hj-km-np-tv-z\d]{6}\d\d)\/?$/i;

/** The address of a ROR identifier; null for any other text. */
export function rorAddress(value: unknown): string | null {
  const id = ROR.exec(word(value) ?? '')?.[1];
  return id === undefined ? null : `https://ror.org/${id.toLowerCase()}`;
}

/** At most this many identifiers of a person or an affiliation are read. */
const MAX_IDENTIFIERS = 20;
/** The members for an identifier and for its scheme. Crossref and CSL use the first pair, DataCite uses the others. */
const SCHEMES = [
  ['id', 'id-type'],
  ['affiliationIdentifier', 'affiliationIdentifierScheme'],
  ['nameIdentifier', 'nameIdentifierScheme'],
] as const;

/** The first ROR identifier of a person, an organization or an affiliation. */
export function rorOf(holder: AgencyObject): string | null {
  const lists = [holder['id'], holder['nameIdentifiers']].flatMap((list) =>
    listOf(Array.isArray(list) ? list.slice(0, MAX_IDENTIFIERS) : list),
  );
  for (const identified of [holder, ...lists.map(members)]) {
    for (const [identifier, scheme] of SCHEMES) {
      if (word(identified[scheme])?.toUpperCase() !== 'ROR') continue;
      const address = rorAddress(identified[identifier]);
      if (address !== null) return address;
    }
  }
  return null;
}

const NO_AFFILIATIONS: readonly Affiliation[] = Object.freeze([]);

/** Reads texts, and objects of Crossref, DataCite and CSL. An affiliation without name and identifier is left out. */
export function readAffiliations(value: unknown, { affiliations }: MarkupBudget): readonly Affiliation[] {
  const most = Math.min(WORK_LIMITS.listEntries, affiliations.entries);
  const entries = (Array.isArray(value) ? value : listOf(value)).slice(0, most);
  if (entries.length === 0) return NO_AFFILIATIONS;
  affiliations.entries -= entries.length;
  return entries.map((entry) => readAffiliation(entry, affiliations)).filter((entry) => entry !== null);
}

function readAffiliation(value: unknown, budget: CharacterBudget): Affiliation | null {
  const entry: AgencyObject = isObject(value) ? value : { name: value };
  const ror = isObject(value) ? rorOf(entry) : null;
  const [text] = listOf(entry['name']);
  const name = typeof text === 'string' ? plainWithin(text, budget, WORK_LIMITS.nameCharacters) : '';
  if (name !== '') return { name, ror };
  return ror === null ? null : { name: ror, ror };
}

/** The affiliations of a name in CSL JSON, in the form that Crossref uses. */
export function cslAffiliations(affiliations: readonly Affiliation[]): readonly AgencyObject[] {
  return affiliations.map(({ name, ror }) => (ror === null ? { name } : { name, id: cslRor(ror) }));
}

export function cslRor(ror: string): readonly AgencyObject[] {
  return [{ id: ror, 'id-type': 'ROR' }];
}
