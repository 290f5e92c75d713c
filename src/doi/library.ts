// The package doi-names, which `npm run library` writes from this folder: this file and, as a second entry, the
// look-alike data in lookalikes.ts. The gateway does not import this file.

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
export type { OtherIdentifier } from './other-identifiers.ts';
export type { ParsedDoi, ReadDoi, UnreadDoi } from './parse.ts';
export type { DoiProblem, DoiProblemCode } from './problem-messages.ts';
export type { DoiForm, ProxyParameter } from './recognise.ts';
export type { DoiWarning, DoiWarningCode } from './warnings.ts';

export interface ParseOptions {
  /** Reads the input as this form alone: `NAME` for a stored name. Without it, the form is recognised. */
  readonly form?: DoiForm | null | undefined;
}

/**
 * Reads one DOI from what a person or a program wrote: a bare name, a link, `doi:…`, a URN, an info URI, a handle URI,
 * with white space or one pair of brackets around it. Percent triplets are decoded where the form encodes them.
 *
 * Never throws: `name` is null if the input is not a DOI, and `problem` then has a code, a sentence for the person who
 * typed the input, and the position (a UTF-16 offset into the input; null where no place is at fault). The name is
 * never corrected.
 *
 * Sources: DOI Handbook; DOI Name Encoding Rules for URL Presentation; DOI URI scheme specification.
 */
export function parse(input: string, { form = null }: ParseOptions = {}): ParsedDoi {
  return parseDoi(input, form);
}

/** One DOI name in every form that it is written in. All are strings but `codePoints`. */
export interface WrittenForms {
  /** `10.1000/456#789`: as it was read */
  readonly name: DoiName;
  /** `10.1000/456#789` with A–Z in lower case: the spelling to store, and to compare names by */
  readonly canonicalName: DoiName;
  /** `doi:10.1000/456#789`, for people */
  readonly display: string;
  /** `doi:10.1000/456%23789`; a slash of the suffix is `%2F` (DOI URI scheme specification) */
  readonly uri: string;
  /** `https://doi.org/10.1000/456%23789`, the link to use (Handbook, recommended encoding) */
  readonly url: string;
  /** the link with only the characters encoded that must be (Handbook, mandatory encoding) */
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

/** Writes a name in every form. Takes a name from `parse` or `find`, and never throws for such a name. */
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
 * Compares two inputs (DOI URI scheme specification, chapter 3). A text is read as `parse` reads it; pass what `parse`
 * returned to read a side as a certain form. `equivalent` is null if a side is not a DOI. Never throws.
 *
 * `relation` says how the names differ: the first that holds. Without `lookalikes` it is never CONFUSABLE.
 */
export function equivalence(
  a: string | ParsedDoi,
  b: string | ParsedDoi,
  lookalikes: Lookalikes | null = null,
): DoiEquivalence {
  return compareDois(parsed(a), parsed(b), lookalikes);
}

function parsed(side: string | ParsedDoi): ParsedDoi {
  return typeof side === 'string' ? parseDoi(side) : side;
}

/**
 * What is legal in a name and still likely to be a mistake, at most once for each code; most names have none. Each
 * warning has a message, the position in the name (a UTF-16 offset) and, if it is known, the name that is probably
 * meant: `repaired`, else null.
 *
 * Without `lookalikes` no warning is CONFUSABLE_CHARACTERS, and `repaired` keeps such characters.
 */
export function warnings(name: DoiName, lookalikes: Lookalikes | null = null): readonly DoiWarning[] {
  return doiWarnings(name, lookalikes);
}

export interface FindOptions {
  /** the most names to find; Infinity by default */
  readonly limit?: number | undefined;
}

/**
 * Finds the DOI names in a text: prose, HTML, Markdown, TeX, BibTeX, RIS, CSV, XML or JSON. In the order of the text,
 * twice where a name stands twice; matches never overlap. `start` and `end` are UTF-16 offsets. `repaired` means that
 * the name is not exactly what stands there: show such a name to a person. Takes time in proportion to the text.
 */
export function find(
  text: string,
  { limit = Number.POSITIVE_INFINITY }: FindOptions = {},
): readonly DoiMatch[] {
  return findDois(text, limit);
}
