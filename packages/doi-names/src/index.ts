// The main entry of the npm package doi-names, which `npm run library` builds from this folder. Its second entry is
// lookalikes.ts. The gateway does not import this file.

import * as encoded from './encoding-forms.ts';
import { compareDois, type DoiEquivalence } from './equivalence.ts';
import { type DoiMatch, findDois } from './find/find-dois.ts';
import type { Lookalikes } from './lookalikes.ts';
import { canonicalName, type DoiName } from './name.ts';
import { type ParsedDoi, parseDoi } from './parse.ts';
import type { DoiForm } from './recognise.ts';
import { type DoiWarning, doiWarnings } from './warnings.ts';

export type { DoiEquivalence, DoiEquivalenceRelation } from './equivalence.ts';
export type { DoiMatch } from './find/find-dois.ts';
export type { Lookalikes } from './lookalikes.ts';
export type { DoiName, HandleName } from './name.ts';
export { canonicalName } from './name.ts';
export type { OtherIdentifier } from './other-identifiers.ts';
export type { ParsedDoi, ReadDoi, UnreadDoi } from './parse.ts';
export type { DoiProblem, DoiProblemCode } from './problem-messages.ts';
export type { DoiForm, ProxyParameter } from './recognise.ts';
export type { DoiWarning, DoiWarningCode } from './warnings.ts';

export interface ParseOptions {
  /** the form that the input must have, for example `NAME` for a stored name; every form by default */
  readonly form?: DoiForm | null | undefined;
}

/**
 * Reads one DOI: a bare name, a link, `doi:…`, a URN, an info URI or a handle URI. White space or one pair of brackets
 * can stand around it. Percent triplets are decoded if the form encodes characters. The name is never corrected.
 *
 * Never throws. If the input is not a DOI, `name` is null and `problem` has a code, a sentence for the person who typed
 * the input, and a position. The position is a UTF-16 offset into the input, or null if no single place is wrong.
 *
 * Sources: DOI Handbook; DOI Name Encoding Rules for URL Presentation; DOI URI scheme specification.
 */
export function parse(input: string, { form = null }: ParseOptions = {}): ParsedDoi {
  return parseDoi(input, form);
}

/** One DOI name in every form. Every form is a string, except `codePoints`. */
export interface WrittenForms {
  /** `10.1000/456#789`, unchanged */
  readonly name: DoiName;
  /** `10.1000/456#789` with A–Z in lower case: the spelling to store and to compare */
  readonly canonicalName: DoiName;
  /** `doi:10.1000/456#789`, for people */
  readonly display: string;
  /** `doi:10.1000/456%23789`; a slash of the suffix is `%2F` (DOI URI scheme specification) */
  readonly uri: string;
  /** `https://doi.org/10.1000/456%23789`, the link to use (Handbook, recommended encoding) */
  readonly url: string;
  /** the link with only the mandatory characters encoded (Handbook, mandatory encoding) */
  readonly urlMandatory: string;
  /** `http://dx.doi.org/10.1000/456%23789`, the link of old documents (ANSI/NISO Z39.84-2000) */
  readonly dxUrl: string;
  /** `urn:doi:10.1000:456%23789` (Handbook) */
  readonly urn: string;
  /** `https://doi.org/urn:doi:10.1000:456%23789` */
  readonly urnUrl: string;
  /** `info:doi/10.1000/456%23789` (RFC 4452) */
  readonly infoUri: string;
  /** `hdl:10.1000/456%23789` (RFC 3650) */
  readonly handleUri: string;
  /** `https://doi.org/api/handles/10.1000/456%23789`, which returns the handle record as JSON */
  readonly apiUrl: string;
  /** `https://doi.org/doiRA/10.1000/456%23789`, which returns the registration agency as JSON */
  readonly whichRaUrl: string;
  /** `10.1000/456#789`; only `%` is encoded, for web forms and batch files */
  readonly webForm: string;
  /** `<a href="https://doi.org/10.1000/456%23789">…</a>`, safe to put into HTML */
  readonly html: string;
  /** `[doi\:10\.1000\/456\#789](https://doi.org/10.1000/456%23789)`, safe to put into CommonMark */
  readonly markdown: string;
  /** `31 30 2E …`: the bytes in UTF-8 */
  readonly utf8Hex: string;
  /** `['U+0031', 'U+0030', …]` */
  readonly codePoints: readonly string[];
}

/** Writes a name in every form. Never throws for a name from `parse` or `find`. */
export function forms(name: DoiName): WrittenForms {
  return Object.freeze({
    name,
    canonicalName: canonicalName(name),
    display: encoded.displayForm(name),
    uri: encoded.uriForm(name),
    url: encoded.recommendedUrl(name),
    urlMandatory: encoded.mandatoryUrl(name),
    dxUrl: encoded.dxUrl(name),
    urn: encoded.urnForm(name),
    urnUrl: encoded.urnUrl(name),
    infoUri: encoded.infoUri(name),
    handleUri: encoded.handleUri(name),
    apiUrl: encoded.apiUrl(name),
    whichRaUrl: encoded.whichRaUrl(name),
    webForm: encoded.webForm(name),
    html: encoded.htmlLink(name),
    markdown: encoded.markdownLink(name),
    utf8Hex: encoded.utf8Hex(name),
    codePoints: encoded.codePoints(name),
  });
}

/**
 * Compares two inputs (DOI URI scheme specification, chapter 3). Each input is a text, or a result of `parse`. Never
 * throws. `equivalent` is null if an input is not a DOI.
 *
 * `relation` says how the names differ. Without `lookalikes`, `relation` is never CONFUSABLE.
 */
export function equivalence(
  a: string | ParsedDoi,
  b: string | ParsedDoi,
  lookalikes: Lookalikes | null = null,
): DoiEquivalence {
  const toParsed = (side: string | ParsedDoi) => (typeof side === 'string' ? parseDoi(side) : side);
  return compareDois(toParsed(a), toParsed(b), lookalikes);
}

/**
 * Finds parts of a name that are legal but probably a mistake. Most names have no warning, and no name has two warnings
 * with the same code. The position of a warning is a UTF-16 offset into the name. `repaired` is the name that was
 * probably meant, or null if no such name is known.
 *
 * Without `lookalikes`, no warning is CONFUSABLE_CHARACTERS, and `repaired` keeps such characters.
 */
export function warnings(name: DoiName, lookalikes: Lookalikes | null = null): readonly DoiWarning[] {
  return doiWarnings(name, lookalikes);
}

export interface FindOptions {
  /** the maximum number of names to find; Infinity by default */
  readonly limit?: number | undefined;
}

/**
 * Finds the DOI names in a text: prose, HTML, Markdown, TeX, BibTeX, RIS, CSV, XML or JSON. Matches are in the order of
 * the text and never overlap. A name that stands in the text twice gives two matches. `start` and `end` are UTF-16
 * offsets. If `repaired` is true, the name differs from the matched text: let a person check the name. The time is
 * proportional to the length of the text.
 */
export function find(
  text: string,
  { limit = Number.POSITIVE_INFINITY }: FindOptions = {},
): readonly DoiMatch[] {
  return findDois(text, limit);
}
