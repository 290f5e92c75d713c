// Reads the parts of the GraphQL type DOI that resolve_doi and describe_doi select, and their errors.

import type { DoiName } from 'doi-names';
import { recommendedUrl } from 'doi-names/parts';
import { harmlessLine } from '../../../safe-text.ts';
import { longestWaitSeconds } from '../../gateway-client/batched-queries.ts';
import { type LicensesField, licenseTexts } from '../../gateway-client/look-up-cards.ts';
import { type NameAnswer, NOT_IN_SAMPLE } from '../../gateway-client/look-up-names.ts';
import type { GraphqlError } from '../../gateway-client/send-operation.ts';
import { whenAgain } from './tool.ts';

/** A field is null if it has no value, or if its look-up failed. Then `errors` has an error with the path of the field. */
export interface DoiFields {
  readonly name: DoiName;
  readonly exists: boolean | null;
  readonly alias: { readonly handle: string } | null;
  readonly redirect: { readonly url: string | null } | null;
  /** undefined if the operation does not select suggestions */
  readonly suggestions?: readonly { readonly name: string }[] | null;
}

export function nameAnswer(doi: DoiFields, exists: boolean, isSample: boolean): NameAnswer {
  const isUnknown = isSample && !exists;
  return {
    outcome: exists ? 'found' : isUnknown ? 'unknown' : 'absent',
    reason: isUnknown ? NOT_IN_SAMPLE : null,
    meant: isUnknown ? [] : (doi.suggestions ?? []).map(({ name }) => name),
    alias: doi.alias?.handle ?? null,
    target: doi.redirect?.url ?? null,
  };
}

/** Null for OTHER, which says nothing. */
export function statedKind({ kind }: { readonly kind: string }): string | null {
  return kind === 'OTHER' ? null : kind;
}

const MAX_LICENCES = 3;
const MAX_LICENCE_CHARACTERS = 100;

export function licencesOf(metadata: LicensesField): readonly string[] {
  const texts = licenseTexts(metadata).slice(0, MAX_LICENCES);
  return texts.map((text) => harmlessLine(text, MAX_LICENCE_CHARACTERS));
}

/** The field fails with `metadata` and `updates`, which share its look-up. */
const SHARES_LOOK_UP = 'published';

type Note = Readonly<Record<'code' | 'message', string>>;

/**
 * A note for each reason why fields could not be looked up: `metadata, updates: The agency is slow. Call again in 9 seconds.`
 * @param depth the index of the field's name in the path of an error
 */
export function failureNotes(errors: readonly GraphqlError[], depth: number): readonly Note[] {
  const notes = new Map<string, Note & { readonly fields: string[] }>();
  for (const error of errors) {
    if (error.path?.[depth] === SHARES_LOOK_UP) continue;
    const { code } = error.extensions;
    const message = `${error.message}${againIn(error)}`;
    const key = `${code} ${message}`;
    const note = notes.get(key) ?? { code, message, fields: [] };
    note.fields.push(`${error.path?.[depth]}`);
    notes.set(key, note);
  }
  return [...notes.values()].map(({ code, message, fields }) => ({
    code,
    message: `${[...new Set(fields)].join(', ')}: ${message}`,
  }));
}

/** Empty if the gateway stated no time. */
export function againIn(error: GraphqlError): string {
  const seconds = longestWaitSeconds([error]);
  return seconds === null ? '' : ` Call again ${whenAgain(seconds)}.`;
}

const MAX_MEANT = 5;

/** Says why an input is no DOI, where, and what to do. @param error an error with the code INVALID_DOI */
export function invalidDoiWords({ message, extensions: { position, meant } }: GraphqlError): string {
  const where = typeof position === 'number' ? ` (at character ${position})` : '';
  // Suggests links, because the gateway would decode a bare name with a percent sign.
  const links = Array.isArray(meant) ? meant.map((name: DoiName) => recommendedUrl(name)) : [];
  const advice =
    links.length > 0
      ? `Call again with ${links.slice(0, MAX_MEANT).join(' or ')}.`
      : 'Call again with a DOI such as 10.1000/182. To find DOIs in a text, call find_dois.';
  return `INVALID_DOI: ${message}${where} ${advice}`;
}
