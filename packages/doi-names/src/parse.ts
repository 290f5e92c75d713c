// Reads a DOI name from an input in any form. Only this file makes a DoiName.

import { type DoiName, isPlainName } from './name.ts';
import { looksLike, type OtherIdentifier } from './other-identifiers.ts';
import { encodedOffset, percentDecode, percentDecodeLeniently } from './percent.ts';
import {
  codePointAt,
  codeUnitAt,
  type DoiProblem,
  type DoiProblemCode,
  doiProblem,
  quoted,
} from './problem-messages.ts';
import {
  beginsForm,
  type DoiForm,
  insideOfPair,
  type ProxyParameter,
  type Recognised,
  type RecognisedUrl,
  recognise,
  withoutEdges,
} from './recognise.ts';

interface Reading {
  readonly input: string;
  /** null if no form was recognised */
  readonly form: DoiForm | null;
  /** the query of a proxy URL, in order */
  readonly proxyParameters: readonly ProxyParameter[];
  readonly fragment: string | null;
  /** whether percent triplets were decoded */
  readonly decoded: boolean;
}

export interface ReadDoi extends Reading {
  readonly name: DoiName;
  readonly problem: null;
}

export interface UnreadDoi extends Reading {
  readonly name: null;
  readonly problem: DoiProblem;
}

export type ParsedDoi = ReadDoi | UnreadDoi;

/**
 * Reads one input. Never throws: an invalid input has a `problem`.
 * @param form the only form that the input can have; null: every form is recognised
 */
export function parseDoi(input: string, form: DoiForm | null = null): ParsedDoi {
  const allowsBareName = form === null || form === 'WEB_FORM' || form === 'NAME';
  if (allowsBareName && isPlainName(input))
    return toParsed(input, form ?? 'WEB_FORM', undefined, false, input, null);
  const outer = form === 'NAME' ? { text: input, start: 0 } : withoutEdges(input);
  if (outer.text === '') return toParsed(input, null, undefined, false, null, doiProblem('EMPTY', '', null));
  if (form === 'NAME') return readName(input, { form, encodedName: input, offset: 0 }, 0);

  const inside = insideOfPair(outer);
  const { text, start } = inside !== null && beginsForm(inside.text) ? inside : outer;
  if (form === 'WEB_FORM') return readName(input, { form, encodedName: text, offset: 0 }, start);
  if (form === 'URI' && input.isWellFormed()) return readUri(input, text, start);

  const recognised = recognise(text);
  const isInForm =
    form === null || form === recognised.form || (form === 'URL' && recognised.url !== undefined);
  return isInForm || !input.isWellFormed() ? readName(input, recognised, start) : notInForm(input, null);
}

/** Accepts only the exact URI syntax. `recognise` accepts more, for example white space after `doi:`. */
function readUri(input: string, text: string, start: number): ParsedDoi {
  if (!/^doi:/i.test(text)) return notInForm(input, null);
  const fault = uriFault(text);
  if (fault) return notInForm(input, fault.offset === null ? null : start + fault.offset);
  return readName(input, { form: 'URI', encodedName: text.slice(4), offset: 4 }, start);
}

function notInForm(input: string, position: number | null): ParsedDoi {
  const problem = doiProblem('NOT_IN_FORM', quoted(withoutEdges(input).text), position);
  return toParsed(input, null, undefined, false, null, problem);
}

/** @param start UTF-16 offset in `input` of the text that was recognised */
function readName(input: string, recognised: Recognised, start: number): ParsedDoi {
  const { form, encodedName, url } = recognised;
  const offset = start + recognised.offset;
  const fail = (code: DoiProblemCode, subject: string, position: number | null): ParsedDoi => {
    const otherKind = otherIdentifier(code, input, recognised);
    return toParsed(input, form, url, false, null, doiProblem(code, subject, position, otherKind));
  };

  const surrogate = input.isWellFormed() ? -1 : input.search(/\p{Surrogate}/u);
  if (surrogate !== -1) return fail('UNPAIRED_SURROGATE', codeUnitAt(input, surrogate), surrogate);
  if (url?.namesSeveral) {
    return fail('NOT_A_DOI', `The list ${quoted(encodedName)}`, offset + encodedName.indexOf(','));
  }
  if (url?.isShortDoi) return fail('SHORT_DOI', quoted(encodedName), null);

  const isLiteral = form === 'NAME' || form === null;
  const decoded = isLiteral ? ({ ok: true, text: encodedName } as const) : percentDecode(encodedName);
  if (!decoded.ok) {
    const excerpt = quoted(encodedName.slice(decoded.offset, decoded.offset + 3));
    return fail(decoded.code, excerpt, offset + decoded.offset);
  }

  const fault = nameFault(decoded.text);
  if (fault === null) return toParsed(input, form, url, decoded.text !== encodedName, decoded.text, null);
  // The brackets around an input that is not a DOI can be part of the input, so the message quotes them too.
  const isAsTyped = form === null && fault.code === 'NOT_A_DOI';
  if (fault.offset === null)
    return fail(fault.code, quoted(isAsTyped ? withoutEdges(input).text : decoded.text), null);
  const subject =
    fault.code === 'NON_GRAPHIC_CHARACTER' ? codePointAt(decoded.text, fault.offset) : quoted(decoded.text);
  const encodedFaultOffset = isLiteral ? fault.offset : encodedOffset(encodedName, fault.offset);
  return fail(fault.code, subject, offset + encodedFaultOffset);
}

function otherIdentifier(
  code: DoiProblemCode,
  input: string,
  recognised: Recognised,
): OtherIdentifier | null {
  if (code === 'SHORT_DOI') return 'SHORT_DOI';
  const isNumberedHandle = code === 'INVALID_DIRECTORY_INDICATOR' && recognised.form === 'HANDLE_URI';
  return code === 'NOT_A_DOI' || isNumberedHandle ? looksLike(input, recognised) : null;
}

const NO_PARAMETERS: readonly ProxyParameter[] = Object.freeze([]);

function readProxyParameters(query: string): readonly ProxyParameter[] {
  const parameters = query
    .split('&')
    .filter((item) => item !== '')
    .map((item) => {
      const equals = item.indexOf('=');
      const name = percentDecodeLeniently(equals === -1 ? item : item.slice(0, equals));
      const value = equals === -1 ? null : percentDecodeLeniently(item.slice(equals + 1));
      return Object.freeze({ name, value });
    });
  return Object.freeze(parameters);
}

function toParsed(
  input: string,
  form: DoiForm | null,
  url: RecognisedUrl | undefined,
  decoded: boolean,
  name: string | null,
  problem: DoiProblem | null,
): ParsedDoi {
  return Object.freeze({
    input,
    form,
    proxyParameters: url?.query ? readProxyParameters(url.query) : NO_PARAMETERS,
    fragment: url?.fragment ?? null,
    decoded,
    name,
    problem,
  }) as ParsedDoi;
}

/** A character that is not graphic. The Unicode Standard calls the categories L, M, N, P, S and Zs graphic. */
export const NON_GRAPHIC = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u;

/** The first rule that a decoded text breaks, and its UTF-16 offset in the text; null if the text is a DOI name. */
function nameFault(text: string): { readonly code: DoiProblemCode; readonly offset: number | null } | null {
  const slash = text.indexOf('/');
  const prefix = slash === -1 ? null : text.slice(0, slash);
  const isDoi = text.startsWith('10.');
  if (isDoi && prefix === null) return { code: 'MISSING_SUFFIX', offset: null };
  if (prefix === '10') return { code: 'SHORT_DOI', offset: null };
  if (isDoi) {
    const at = prefix?.search(/[^0-9.]|\.(?![0-9])/) ?? -1;
    if (at !== -1) return { code: 'INVALID_PREFIX', offset: text[at] === '.' ? at + 1 : at };
  } else if (prefix && /^[0-9.]+$/.test(prefix)) {
    return { code: 'INVALID_DIRECTORY_INDICATOR', offset: 0 };
  }
  if (slash !== -1 && slash === text.length - 1) return { code: 'MISSING_SUFFIX', offset: null };

  const offset = text.search(NON_GRAPHIC);
  if (offset !== -1) return { code: 'NON_GRAPHIC_CHARACTER', offset };
  return isDoi ? null : { code: 'NOT_A_DOI', offset: null };
}

/**
 * Checks the URI syntax of a text that begins with `doi:`: exactly two path segments (RFC 3986), no query, no fragment.
 * Null if the syntax is correct. `offset` is null if the slash is missing.
 */
function uriFault(text: string): { readonly offset: number | null } | null {
  const strayAt = text.search(/[^A-Za-z0-9\-._~!$&'()*+,;=:@%/]|%(?![0-9A-Fa-f]{2})/);
  if (strayAt !== -1) return { offset: strayAt };
  const first = text.indexOf('/');
  if (first === -1) return { offset: null };
  const second = text.indexOf('/', first + 1);
  return second === -1 ? null : { offset: second };
}
