// Reads the people and organizations that the metadata of a work names, with their roles.

import { type AgencyObject, word } from './agency-json.ts';
import { type Creator, readCreators } from './creators.ts';
import { markupBudget } from './markup-budget.ts';
import type { CslItem } from './work.ts';
import { WORK_LIMITS } from './work-limits.ts';

export const CONTRIBUTOR_ROLES = [
  'AUTHOR',
  'EDITOR',
  'TRANSLATOR',
  'CHAIR',
  'REVIEWER',
  'CONTACT_PERSON',
  'DATA_COLLECTOR',
  'DATA_CURATOR',
  'DATA_MANAGER',
  'DISTRIBUTOR',
  'FUNDER',
  'HOSTING_INSTITUTION',
  'PRODUCER',
  'PROJECT_LEADER',
  'PROJECT_MEMBER',
  'RESEARCHER',
  'RESEARCH_GROUP',
  'RIGHTS_HOLDER',
  'SPONSOR',
  'SUPERVISOR',
  'OTHER',
] as const;
export type ContributorRole = (typeof CONTRIBUTOR_ROLES)[number];

export interface Contributor extends Creator {
  readonly role: ContributorRole;
  /** the agency's own word: "author", "DataCollector" */
  readonly roleType: string;
}

/**
 * The words of Crossref, of CSL, and of DataCite's `contributorType`, in lower case and without hyphens: `datacollector`.
 * https://datacite-metadata-schema.readthedocs.io/en/4.6/appendices/appendix-1/contributorType/
 */
const ROLES: ReadonlyMap<string, ContributorRole> = new Map([
  ...CONTRIBUTOR_ROLES.map((role) => [role.replaceAll('_', '').toLowerCase(), role] as const),
  // These words differ from the name of their role.
  ['creator', 'AUTHOR'],
  ['containerauthor', 'OTHER'],
  ['collectioneditor', 'EDITOR'],
  ['editorialdirector', 'EDITOR'],
  ['executiveproducer', 'PRODUCER'],
]);

export function roleNamed(roleType: string): ContributorRole {
  return ROLES.get(roleType.replaceAll('-', '').toLowerCase()) ?? 'OTHER';
}

/** The names of CSL 1.0.2 (appendix IV) that belong to the work itself, in the order of the contributors. */
const ROLES_OF_CSL = [
  ...['author', 'editor', 'translator', 'chair', 'collection-editor', 'editorial-director', 'compiler'],
  ...['composer', 'contributor', 'curator', 'director', 'executive-producer', 'guest', 'host', 'illustrator'],
  ...['interviewer', 'narrator', 'organizer', 'performer', 'producer', 'script-writer', 'series-creator'],
];

/**
 * At most `listEntries` people, authors first.
 * @param listed DataCite's contributors: names of CSL with the member `contributorType`. Null: they are in the CSL.
 */
export function readContributors(
  csl: CslItem,
  listed: readonly AgencyObject[] | null,
): readonly Contributor[] {
  const budget = markupBudget();
  const all: Contributor[] = [];
  const add = (people: unknown, roleType: string): void => {
    const left = WORK_LIMITS.listEntries - all.length;
    const role = roleNamed(roleType);
    for (const person of readCreators(Array.isArray(people) ? people.slice(0, left) : people, budget)) {
      if (all.length < WORK_LIMITS.listEntries) all.push({ ...person, role, roleType });
    }
  };
  if (listed === null) for (const variable of ROLES_OF_CSL) add(csl[variable], variable);
  else {
    add(csl['author'], 'Creator');
    for (const person of listed) add(person, word(person['contributorType']) ?? 'Other');
  }
  return all;
}
