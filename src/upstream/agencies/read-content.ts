// Reads the response of an agency's service: metadata in the requested format, a redirect, or no metadata.

import { citationText } from '../../works/citation-text.ts';
import { acceptOf, type MetadataFormat } from '../../works/metadata-format.ts';
import type { CslItem } from '../../works/work.ts';
import { decodeBody, isJson, parseOrFail } from '../record-look-up.ts';
import { statedLimit } from '../request-rate.ts';
import { failureOfHead, firstValue, type ResponseHead, type ResponseReader } from '../response-body.ts';
import { badResponse } from '../upstream-failure.ts';
import type { RequestLimit } from './agency-limits.ts';

export type ServiceAnswer = { readonly limit: RequestLimit | null } & (
  | { readonly kind: 'CONTENT'; readonly content: CslItem | string }
  | { readonly kind: 'REDIRECT'; readonly location: string }
  | { readonly kind: 'NONE' }
);

/** The largest CSL JSON. The CSL JSON of an article with 5,000 authors has 500 kB. */
const MAX_METADATA_BYTES = 1_000_000;
/** The longest citation. */
const MAX_TEXT_CHARACTERS = 100_000;
/** In every charset, a character has at most 4 bytes. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT_CHARACTERS;
/** Most servers do not accept longer paths. */
const MAX_LOCATION_CHARACTERS = 8_000;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** These statuses mean: no content, no such name, not in this format, deleted. */
const NONE = new Set([204, 404, 406, 410]);

/** Reads only the requested media type. Every other type, such as HTML, is a bad response. */
export function serviceReader(format: MetadataFormat): ResponseReader<ServiceAnswer> {
  const isCsl = format.kind === 'csl';
  const isContent = (head: ResponseHead): boolean =>
    head.status === 200 && (isCsl ? isJson(head) : isText(typeOf(head)));
  return {
    accept: acceptOf(format),
    maxBytes: isCsl ? MAX_METADATA_BYTES : MAX_TEXT_BYTES,
    wantsBody: isContent,
    parse(head, body) {
      const limit = statedLimit(head.headers);
      if (!isContent(head)) return () => answerWithoutContent(head, limit);
      const text = decodeBody(body, decoderOf(typeOf(head)));
      const parsed = isCsl ? parseOrFail(head, text) : text;
      return () => ({ limit, kind: 'CONTENT', content: isCsl ? cslOf(parsed) : plainText(text) });
    },
  };
}

function answerWithoutContent(head: ResponseHead, limit: RequestLimit | null): ServiceAnswer {
  const { status, headers } = head;
  if (status === 200) throw badResponse(`the content type is ${typeOf(head).slice(0, 100) || 'missing'}`);
  if (NONE.has(status)) return { limit, kind: 'NONE' };
  if (!REDIRECTS.has(status)) throw failureOfHead(head);
  const location = firstValue(headers['location']) ?? '';
  if (location === '' || location.length > MAX_LOCATION_CHARACTERS)
    throw badResponse('the redirect has no usable location');
  return { limit, kind: 'REDIRECT', location };
}

function typeOf({ headers }: ResponseHead): string {
  return (firstValue(headers['content-type']) ?? '').toLowerCase();
}

function isText(type: string): boolean {
  return type.startsWith('text/') && !type.includes('html');
}

const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/;

/** Undefined for UTF-8. Throws for an unknown charset. */
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
    throw badResponse('the metadata is not a JSON object');
  return csl as CslItem;
}

function plainText(text: string): string {
  if (text.length > MAX_TEXT_CHARACTERS) throw badResponse(`longer than ${MAX_TEXT_CHARACTERS} characters`);
  const plain = citationText(text);
  if (plain === '' || /^\s*<(?:!doctype|html|\?xml)/i.test(text))
    throw badResponse('the body is empty, HTML or XML');
  return plain;
}
