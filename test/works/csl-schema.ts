// The schema of CSL for items, and our members beyond the schema.

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { CslItem } from '../../src/works/work.ts';

export const CSL_SCHEMA = JSON.parse(
  readFileSync(new URL('../fixtures/csl-data.json', import.meta.url), 'utf8'),
) as { readonly items: { readonly properties: Readonly<Record<string, unknown>> } };

const isValid = new Ajv({ strict: false }).compile(CSL_SCHEMA);

/** CSL has no member for these details of a name. `nameType` marks a person whose name has no parts. */
const OWN_MEMBERS_OF_NAMES = ['ORCID', 'affiliation', 'id', 'nameType'];
/** CSL 1.0.2 has no variable for the subtitle alone. `license` and `funder` are Crossref's, from content negotiation. */
const OWN_MEMBERS = ['subtitle', 'license', 'funder'];

function without(members: readonly string[], object: object): CslItem {
  return Object.fromEntries(Object.entries(object).filter(([member]) => !members.includes(member)));
}

/** The errors of an item, without our members. */
export function cslErrors(csl: CslItem): readonly unknown[] {
  const members = Object.entries(without(OWN_MEMBERS, csl)).map(([member, value]) => [
    member,
    Array.isArray(value) ? value.map((name: object) => without(OWN_MEMBERS_OF_NAMES, name)) : value,
  ]);
  isValid([Object.fromEntries(members)]);
  return isValid.errors ?? [];
}
