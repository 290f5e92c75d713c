// Messages about inputs that are not DOI names, for the person who typed the input.

import type { OtherIdentifier } from './other-identifiers.ts';

const ESCAPE_ADVICE = 'write "%25" for a literal "%", or pass form: NAME to read the name without decoding';

/** A message for each code. `subject` is a quoted part of the input, or a code point. */
const MESSAGES = {
  EMPTY: () => 'The input is empty. Give a DOI name such as "10.1000/182".',
  NOT_A_DOI: (subject) =>
    `${subject} is not a DOI name. A DOI name begins with "10.", a registrant code and a "/", as in "10.1000/182".`,
  NOT_IN_FORM: (subject) =>
    `${subject} is not written in the requested form. Without "form", every form is recognised.`,
  INVALID_DIRECTORY_INDICATOR: (subject) =>
    `${subject} does not begin with "10.", the directory indicator of every DOI name.`,
  INVALID_PREFIX: (subject) =>
    `The prefix of ${subject} is not "10." followed by digits, which single full stops may divide, as in "10.1000" or "10.1000.10".`,
  MISSING_SUFFIX: (subject) =>
    `${subject} has no suffix: after its prefix, a DOI name has "/" and at least one character.`,
  NON_GRAPHIC_CHARACTER: (subject) =>
    `The name holds ${subject}, which is not a graphic character. Remove this character: controls, invisible format characters, private use and unassigned code points cannot be part of a DOI name.`,
  INVALID_PERCENT_ENCODING: (subject) =>
    `${subject} is not a percent sign and two hexadecimal digits: ${ESCAPE_ADVICE}.`,
  INVALID_UTF8: (subject) => `The bytes that begin with ${subject} are not UTF-8: ${ESCAPE_ADVICE}.`,
  UNPAIRED_SURROGATE: (subject) =>
    `The input holds the unpaired surrogate ${subject}, which is half a character. Send the text as whole Unicode characters.`,
  SHORT_DOI: (subject) =>
    `${subject} is a shortDOI. A shortDOI is an alias of a DOI name, and no DOI name itself. Query shortDoi(input: ${subject}) for the DOI name.`,
} satisfies Record<string, (subject: string) => string>;

// `Extract` makes the compiler show the name of the type instead of its members.
export type DoiProblemCode = Extract<keyof typeof MESSAGES, string>;

export interface DoiProblem {
  readonly code: DoiProblemCode;
  readonly message: string;
  /** UTF-16 offset into the unchanged input; null if no single place is wrong */
  readonly position: number | null;
  /** the kind of identifier that the input probably is; null if unknown */
  readonly looksLike: OtherIdentifier | null;
}

export function doiProblem(
  code: DoiProblemCode,
  subject: string,
  position: number | null,
  looksLike: OtherIdentifier | null = null,
): DoiProblem {
  return Object.freeze({ code, message: MESSAGES[code](subject), position, looksLike });
}

const EXCERPT_LENGTH = 60;

/** The text in quotation marks. A long text is cut. */
export function quoted(text: string): string {
  const excerpt = text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text;
  return `"${excerpt.toWellFormed()}"`;
}

/** `U+00AD` for 0xAD. */
export function formatCodePoint(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** `U+00AD` for the code point at this offset. */
export const codePointAt = (text: string, offset: number): string =>
  formatCodePoint(text.codePointAt(offset) ?? 0);
/** `U+D800` for the UTF-16 unit at this offset, such as an unpaired surrogate. */
export const codeUnitAt = (text: string, offset: number): string => formatCodePoint(text.charCodeAt(offset));
