// What a service of an agency answers: metadata in the format that was asked for, a redirect, or that there is none.

import { freezeJson, MalformedRecordError, parseJson } from '../../handle/json.ts';
import { acceptOf, type MetadataFormat } from '../../metadata/metadata-format.ts';
import type { RequestLimit } from '../../metadata/metadata-hosts.ts';
import type { CslItem } from '../../metadata/work.ts';
import { type AnswerHead, type AnswerReader, single } from '../http-answer.ts';
import { decodeText, isJson } from '../record-question.ts';
import { badResponse, failureOfStatus } from '../upstream-failure.ts';
import { limitOfHeaders } from './request-window.ts';

export type ServiceAnswer = { readonly limit: RequestLimit | null } & (
  | { readonly kind: 'CONTENT'; readonly content: CslItem | string }
  | { readonly kind: 'REDIRECT'; readonly location: string }
  | { readonly kind: 'NONE' }
);

/** Of metadata in any format. An article with 5,000 authors has 500 kB of CSL. */
export const MAX_METADATA_BYTES = 1_000_000;
/** A citation, an entry of BibTeX or RIS. */
const MAX_TEXT_CHARACTERS = 100_000;
/** So many characters in any charset. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT_CHARACTERS;
/** Locations are no longer than what a server takes. */
const MAX_LOCATION_CHARACTERS = 8_000;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** No content, no such name, not in this format, no more. */
const NONE = new Set([204, 404, 406, 410]);

/** Takes nothing else, HTML above all. */
export function serviceReader(format: MetadataFormat): AnswerReader<ServiceAnswer> {
  const isCsl = format.kind === 'csl';
  const isContent = ({ status, headers }: AnswerHead): boolean =>
    status === 200 && isOfType(typeOf(headers), isCsl);
  return {
    accept: acceptOf(format),
    maxBytes: isCsl ? MAX_METADATA_BYTES : MAX_TEXT_BYTES,
    wantsBody: isContent,
    parse(head, body) {
      const limit = limitOf(head);
      if (!isContent(head)) return () => withoutContent(head, limit);
      const text = decodeText(body, decoderOf(typeOf(head.headers)));
      const parsed = isCsl ? parseJsonOrFail(text) : text;
      return () => ({ limit, kind: 'CONTENT', content: isCsl ? cslOf(parsed) : plainText(text) });
    },
  };
}

function limitOf({ headers }: AnswerHead): RequestLimit | null {
  return limitOfHeaders(single(headers['x-rate-limit-limit']), single(headers['x-rate-limit-interval']));
}

function withoutContent({ status, headers }: AnswerHead, limit: RequestLimit | null): ServiceAnswer {
  if (status === 200) throw badResponse(`the content type is ${typeOf(headers).slice(0, 100) || 'missing'}`);
  if (NONE.has(status)) return { limit, kind: 'NONE' };
  if (!REDIRECTS.has(status)) throw failureOfStatus(status, single(headers['retry-after']));
  const location = single(headers['location']) ?? '';
  if (location === '' || location.length > MAX_LOCATION_CHARACTERS)
    throw badResponse('a redirect without a usable location');
  return { limit, kind: 'REDIRECT', location };
}

function typeOf(headers: AnswerHead['headers']): string {
  return (single(headers['content-type']) ?? '').toLowerCase();
}

function isOfType(type: string, isCsl: boolean): boolean {
  return isCsl ? isJson(type) : TEXT_TYPE.test(type) && !HTML_TYPE.test(type);
}

const TEXT_TYPE = /^(?:text\/|application\/x-(?:bibtex|research-info-systems)\b)/;
const HTML_TYPE = /html/;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/;

/** Throws for a charset that is none. */
function decoderOf(type: string): TextDecoder | undefined {
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  if (charset === 'utf-8') return undefined;
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw badResponse(`the body is not ${charset}`);
  }
}

function cslOf(csl: unknown): CslItem {
  if (typeof csl !== 'object' || csl === null || Array.isArray(csl))
    throw badResponse('the metadata is no JSON object');
  // Crossref's list of references is no part of CSL, and ten times as long as all the rest.
  const { reference: _, ...item } = csl as CslItem;
  return freezeJson(item);
}

function parseJsonOrFail(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof MalformedRecordError ? badResponse(error) : error;
  }
}

/** Line feeds stay, other control characters do not. */
function plainText(text: string): string {
  if (text.length > MAX_TEXT_CHARACTERS) throw badResponse(`more than ${MAX_TEXT_CHARACTERS} characters`);
  const plain = text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trim();
  if (plain === '' || /^<(?:!doctype|html|\?xml)/i.test(plain))
    throw badResponse('no text in the format that was asked for');
  return plain;
}
