// Reads a handle name or a shortDOI from an input in any form. DOI names are handle names too.

import type { HandleName } from './name.ts';
import { NON_GRAPHIC, type ParsedDoi } from './parse.ts';
import { percentDecode } from './percent.ts';
import { codePointAt, codeUnitAt, doiProblem, quoted } from './problem-messages.ts';
import { bareText, recognise, withoutEdges } from './recognise.ts';

type ReadHandle =
  | { readonly name: HandleName; readonly problem: null }
  /** `problem` is a sentence for the person who typed the input */
  | { readonly name: null; readonly problem: string };

/** RFC 3651, section 2, excludes `.`, `/` and `@` from a segment. The gateway also excludes `:` and white space. */
const PREFIX = /^[^./@:\s]+(?:\.[^./@:\s]+)*$/;

/**
 * Reads `hdl:…`, `https://hdl.handle.net/…` and every other DOI form with a label, and decodes percent triplets. An input
 * without a label is not decoded.
 */
export function readHandle(input: string): ReadHandle {
  const { form, encodedName } = recognise(bareText(input));
  if (form === null || form === 'WEB_FORM') return literalHandle(input);
  const decoded = percentDecode(encodedName);
  if (decoded.ok) return literalHandle(decoded.text);
  const excerpt = quoted(encodedName.slice(decoded.offset, decoded.offset + 3));
  return withProblem(
    `${excerpt} does not encode a UTF-8 character. Write "%25" for a literal "%", or give the name without its label.`,
  );
}

/**
 * The handle in an input that is not a DOI name. Such an input has a handle label, or a numeric prefix other than 10.
 * Null for every other input, because the message of `problem` explains the other input better.
 */
export function handleThatIsNotDoi({ input, form, problem }: ParsedDoi): HandleName | null {
  if (problem === null || problem.code === 'SHORT_DOI') return null;
  const isNumbered = problem.code === 'INVALID_DIRECTORY_INDICATOR' || problem.looksLike === 'HANDLE';
  if (form === 'HANDLE_URI') return readHandle(input).name;
  if (!isNumbered || (form !== null && form !== 'NAME')) return null;
  return literalHandle(form === 'NAME' ? input : withoutEdges(input).text).name;
}

/** Reads the text as a handle without decoding: a prefix, `/` and a suffix of Graphic characters. */
export function literalHandle(text: string): ReadHandle {
  if (text.trim() === '') return withProblem('The input is empty. Give a handle such as "20.500.12345/1".');
  const surrogate = text.search(/\p{Surrogate}/u);
  if (surrogate !== -1) {
    return withProblem(doiProblem('UNPAIRED_SURROGATE', codeUnitAt(text, surrogate), surrogate).message);
  }
  const slash = text.indexOf('/');
  if (slash === -1 || slash === text.length - 1 || !PREFIX.test(text.slice(0, slash))) {
    return withProblem(
      `${quoted(text)} is not a handle. A handle is a prefix, "/" and a suffix, as in "20.500.12345/1" or "hdl:10.1000/1".`,
    );
  }
  const nonGraphic = text.search(NON_GRAPHIC);
  if (nonGraphic === -1) return { name: text as HandleName, problem: null };
  return withProblem(
    `The handle holds ${codePointAt(text, nonGraphic)} at position ${nonGraphic}, which is not a graphic character: remove it.`,
  );
}

/**
 * Reads a shortDOI, which is a handle and an alias of a DOI name, but not a DOI name. Returns `10/abcde` for `10/abcde`,
 * `abcde`, `doi:10/abcde` and `https://doi.org/abcde`; null for any other input. A code without `10/` and without a label
 * must have 3 to 10 letters and digits.
 */
export function readShortDoi(input: string): HandleName | null {
  const { form, encodedName, url } = recognise(bareText(input));
  const decoded = percentDecode(encodedName);
  if (!decoded.ok) return null;
  const [, handle, code] = /^(10\/)?([A-Za-z0-9]+)$/.exec(decoded.text) ?? [];
  if (code === undefined) return null;
  const isBare = form === null && code.length >= 3 && code.length <= 10;
  return handle !== undefined || url?.isShortDoi || isBare ? (`10/${code}` as HandleName) : null;
}

function withProblem(problem: string): ReadHandle {
  return { name: null, problem };
}
