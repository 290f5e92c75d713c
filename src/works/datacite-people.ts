// Reads the people of a record of DataCite: creators and contributors, as `cslPeople` takes them.

import { rorOf } from './affiliations.ts';
import { type AgencyObject, listOf, members, word } from './agency-json.ts';
import { cslText } from './csl-item.ts';

/** `:(unav)`, `(:unkn)`: codes for an unknown value, in the metadata schema's appendix 3. */
const UNKNOWN = /^[(:]{1,2}(?:unac|unal|unap|unas|unav|unkn|none|null|tba)\)?$/i;

export function knownText(text: string | null): string | null {
  return text === null || UNKNOWN.test(text) ? null : text;
}

/** A person with the members of Crossref. */
export function listedPerson(value: unknown): AgencyObject {
  const person = members(value);
  const { familyName, givenName, affiliation } = person;
  const nameType = word(person['nameType']);
  const name = knownText(cslText(person['name']));
  const ror = rorOf(person);
  const common = {
    ...{ ORCID: orcidOf(person), affiliation, nameType },
    id: ror === null ? undefined : [{ id: ror, 'id-type': 'ROR' }],
  };
  if (nameType === 'Organizational') return { ...common, name };
  const isWholeName = nameType === 'Personal' && word(familyName) === null && word(givenName) === null;
  if (isWholeName) return { ...common, given: name };
  return { ...common, name, family: knownText(word(familyName)), given: knownText(word(givenName)) };
}

/** At most this many identifiers of a person are read. */
const MAX_IDENTIFIERS = 20;

const ORCID_ADDRESS = /^(?:https?:\/\/)?(?:www\.)?orcid\.org\//i;

/** The first identifier with the scheme ORCID, else an address of ORCID without a scheme. */
function orcidOf(person: AgencyObject): string | null {
  const identifiers = listOf(person['nameIdentifiers'])
    .slice(0, MAX_IDENTIFIERS)
    .map(members)
    .map((each) => [word(each['nameIdentifier']), word(each['nameIdentifierScheme'])] as const);
  const isOrcid = identifiers.find(([text, scheme]) => text !== null && scheme?.toUpperCase() === 'ORCID');
  return (isOrcid ?? identifiers.find(([text]) => ORCID_ADDRESS.test(text ?? '')))?.[0] ?? null;
}
