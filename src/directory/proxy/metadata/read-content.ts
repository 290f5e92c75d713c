// What a service of an agency answers: metadata in the format that was asked for, a redirect, or that there is none.

import { freezeJson, MalformedRecordError, parseJson } from '../../../handle/json.ts';
import type { MetadataFormat } from '../../../metadata/metadata-format.ts';
import type { CslItem } from '../../../metadata/work.ts';
import { decodeText, discard, type RawResponse, readBytes, single } from '../raw-request.ts';
import { badResponse, failureOfStatus } from '../upstream-failure.ts';
import type { RequestLimit } from './metadata-hosts.ts';
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

/** Rejects with an UpstreamFailure for everything else, HTML above all. */
export async function readServiceAnswer(
  response: RawResponse,
  format: MetadataFormat,
): Promise<ServiceAnswer> {
  const { statusCode: status, headers, body } = response;
  const limit = limitOfHeaders(
    single(headers['x-rate-limit-limit']),
    single(headers['x-rate-limit-interval']),
  );
  if (status === 200) return { limit, kind: 'CONTENT', content: await readContent(response, format) };
  await discard(body);
  if (NONE.has(status)) return { limit, kind: 'NONE' };
  const location = single(headers['location']) ?? '';
  if (!REDIRECTS.has(status)) throw failureOfStatus(status, single(headers['retry-after']));
  if (location === '' || location.length > MAX_LOCATION_CHARACTERS)
    throw badResponse('a redirect without a usable location');
  return { limit, kind: 'REDIRECT', location };
}

async function readContent(response: RawResponse, format: MetadataFormat): Promise<CslItem | string> {
  const { headers, body } = response;
  const type = (single(headers['content-type']) ?? '').toLowerCase();
  const isOfType =
    format.kind === 'csl' ? JSON_TYPE.test(type) : TEXT_TYPE.test(type) && !HTML_TYPE.test(type);
  if (!isOfType) {
    await discard(body);
    throw badResponse(`the content type is ${type.slice(0, 100) || 'missing'}`);
  }
  const bytes = await readBytes(response, format.kind === 'csl' ? MAX_METADATA_BYTES : MAX_TEXT_BYTES);
  const text = decodeText(bytes, CHARSET.exec(type)?.[1] ?? 'utf-8');
  return format.kind === 'csl' ? cslOf(text) : plainText(text);
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/;
const TEXT_TYPE = /^(?:text\/|application\/x-(?:bibtex|research-info-systems)\b)/;
const HTML_TYPE = /html/;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/;

function cslOf(text: string): CslItem {
  const csl = parsed(text);
  if (typeof csl !== 'object' || csl === null || Array.isArray(csl))
    throw badResponse('the metadata is no JSON object');
  // Crossref's list of references is no part of CSL, and ten times as long as all the rest.
  const { reference: _, ...item } = csl as CslItem;
  return freezeJson(item);
}

function parsed(text: string): unknown {
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
