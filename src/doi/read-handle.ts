// Reads a handle name, of which a DOI name is one kind, from what a person or a program wrote.

import { insideOfPair, withoutEdges } from './delimiters.ts';
import type { HandleName } from './name.ts';
import { NON_GRAPHIC } from './name-fault.ts';
import type { ParsedDoi } from './parse.ts';
import { percentDecode } from './percent.ts';
import { codePointAt, codeUnitAt, doiProblem, quoted } from './problem-messages.ts';
import { recognise } from './recognise.ts';

export type ReadHandle =
  | { readonly name: HandleName; readonly problem: null }
  /** `problem` is a sentence for the person who typed the input */
  | { readonly name: null; readonly problem: string };

/** RFC 3651, section 2: segments without `.`, `/` and `@`. White space and `:` would begin a sentence or a URL. */
const PREFIX = /^[^./@:\s]+(?:\.[^./@:\s]+)*$/;

/**
 * Reads `hdl:…`, `https://hdl.handle.net/…` and the other forms of a DOI with a label, percent triplets decoded. Every
 * other input is taken literally, a bare DOI name too.
 */
export function readHandle(input: string): ReadHandle {
  const outer = withoutEdges(input);
  const { form, encodedName } = recognise((insideOfPair(outer) ?? outer).text);
  if (form === null || form === 'WEB_FORM') return literalHandle(input);
  const decoded = percentDecode(encodedName);
  if (decoded.ok) return literalHandle(decoded.text);
  const excerpt = quoted(encodedName.slice(decoded.offset, decoded.offset + 3));
  return unread(
    `${excerpt} is no escape of a UTF-8 character. Write "%25" for a literal "%", or give the name without its label.`,
  );
}

/**
 * The handle in an input that is no DOI name and should be none: labelled as a handle, or with a number that is not 10
 * before its slash. Null for every other input, whose problem as a DOI name says more.
 */
export function handleBesideDois({ input, form, problem }: ParsedDoi): HandleName | null {
  if (problem === null || problem.code === 'SHORT_DOI') return null;
  const isNumbered = problem.code === 'INVALID_DIRECTORY_INDICATOR' || problem.looksLike === 'HANDLE';
  if (form === 'HANDLE_URI') return readHandle(input).name;
  if (!isNumbered || (form !== null && form !== 'NAME')) return null;
  return literalHandle(form === 'NAME' ? input : withoutEdges(input).text).name;
}

/** The text itself as a handle: a prefix, `/` and a suffix of Graphic characters. */
export function literalHandle(text: string): ReadHandle {
  if (text.trim() === '') return unread('The input is empty. Give a handle such as "20.500.12345/1".');
  const surrogate = text.search(/\p{Surrogate}/u);
  if (surrogate !== -1) {
    return unread(doiProblem('UNPAIRED_SURROGATE', codeUnitAt(text, surrogate), surrogate).message);
  }
  const slash = text.indexOf('/');
  if (slash === -1 || slash === text.length - 1 || !PREFIX.test(text.slice(0, slash))) {
    return unread(
      `${quoted(text)} is not a handle. A handle is a prefix, "/" and a suffix, as in "20.500.12345/1" or "hdl:10.1000/1".`,
    );
  }
  const nonGraphic = text.search(NON_GRAPHIC);
  if (nonGraphic === -1) return { name: text as HandleName, problem: null };
  return unread(
    `The handle holds ${codePointAt(text, nonGraphic)} at position ${nonGraphic}, which is not a graphic character: remove it.`,
  );
}

function unread(problem: string): ReadHandle {
  return { name: null, problem };
}
