// Metadata at /{name}: chooses the format by Accept, looks the metadata up, and writes the response.

import type { DoiName } from 'doi-names';
import { recommendedUrl } from 'doi-names/parts';
import type { MetadataAnswer } from '../../directory/directory.ts';
import { GatewayError } from '../../errors.ts';
import type { AcceptedType } from '../../handle/client-preferences.ts';
import { lengthOf } from '../../loaders/record-bytes.ts';
import { mapSoon, type Soon, withinMs } from '../../time.ts';
import { writeBibtex } from '../../works/bibtex.ts';
import { CSL, isCitationLocale, isCitationStyle, type MetadataFormat } from '../../works/metadata-format.ts';
import { writeRis } from '../../works/ris.ts';
import type { CslItem } from '../../works/work.ts';
import { attempt, type HttpResponse } from '../request/exchange.ts';
import { keepingHeaders } from '../response/cache-headers.ts';
import { stringify } from './json-or-jsonp.ts';
import { type Query, type RestRequest, restResponse, type TaggedText, taggedText } from './rest-exchange.ts';

/** How to write metadata for a client. */
export interface MetadataWriter {
  /** the format to request from the agency; from CSL, the gateway itself writes BibTeX and RIS */
  readonly format: MetadataFormat;
  readonly contentType: string;
  readonly write: (content: NonNullable<MetadataAnswer['content']>, name: DoiName) => TaggedText;
}

const CSL_TYPES: ReadonlySet<string> = new Set([
  'application/vnd.citationstyles.csl+json',
  'application/citeproc+json',
  'application/json',
]);
const BIBTEX_TYPE = 'application/x-bibtex';
const RIS_TYPE = 'application/x-research-info-systems';
const BIBLIOGRAPHY_TYPES: ReadonlySet<string> = new Set(['text/x-bibliography', 'text/bibliography']);

/** The `Link` header of a redirect, so that programs can find the metadata. */
export function describedBy(url: string): string {
  return ['application/vnd.citationstyles.csl+json', BIBTEX_TYPE, RIS_TYPE, 'text/x-bibliography']
    .map((type) => `<${url}>; rel="describedby"; type="${type}"`)
    .join(', ');
}

/** With one of these parameters, the gateway redirects or shows the record, as the DOI proxy does. */
const REDIRECT_PARAMETERS = ['action', 'noredirect', 'locatt', 'type', 'index', 'urlappend', 'auth', 'cert'];

/**
 * Chooses among the types that the client prefers most. Null if the gateway can write none of them, or if the query has
 * one of REDIRECT_PARAMETERS.
 */
export function writingFor(accepted: readonly AcceptedType[], query: Query): MetadataWriter | null {
  const [best] = accepted;
  if (best === undefined || REDIRECT_PARAMETERS.some((name) => query.first(name) !== null)) return null;
  for (const range of accepted) {
    if (range.quality < best.quality) return null;
    const writing = writingOf(range);
    if (writing !== null) return writing;
  }
  return null;
}

function writingOf({ type, parameters }: AcceptedType): MetadataWriter | null {
  if (CSL_TYPES.has(type)) return { format: CSL, contentType: type, write: cslText };
  if (type === BIBTEX_TYPE) return { format: CSL, contentType: utf8(type), write: bibtexText };
  if (type === RIS_TYPE) return { format: CSL, contentType: utf8(type), write: risText };
  if (!BIBLIOGRAPHY_TYPES.has(type)) return null;
  const style = parameters.get('style') ?? 'apa';
  if (style.toLowerCase() === 'bibtex') return { format: CSL, contentType: utf8(type), write: bibtexText };
  const locale = parameters.get('locale') ?? 'en-US';
  if (!isCitationStyle(style) || !isCitationLocale(locale)) return null;
  return { format: { kind: 'citation', style, locale }, contentType: utf8(type), write: citationText };
}

function utf8(type: string): string {
  return `${type}; charset=utf-8`;
}

const cslText = rememberedText((csl) => stringify(csl));
const citationText: MetadataWriter['write'] = (text) => taggedText(`${text}\n`);
const bibtexText = rememberedText(writeBibtex);
const risText = rememberedText(writeRis);

/** Longer texts are not remembered, because the cache of metadata does not count their memory. */
const MAX_REMEMBERED_CHARACTERS = 100_000;
/** Longer metadata is written in a later turn of the event loop, because writing it takes long. */
const LONG_CHARACTERS = 20_000;

/**
 * Remembers the text of each CSL item while the item is in memory. Writes a new text if the name has another spelling.
 */
function rememberedText(write: (csl: CslItem, name: DoiName) => string): MetadataWriter['write'] {
  const entries = new WeakMap<object, TaggedText & { readonly name: DoiName }>();
  return (csl, name) => {
    const known = entries.get(csl as CslItem);
    if (known?.name === name) return known;
    const entry = { ...taggedText(write(csl as CslItem, name)), name };
    if (entry.text.length <= MAX_REMEMBERED_CHARACTERS) entries.set(csl as CslItem, entry);
    return entry;
  };
}

/** If the metadata does not arrive within this time, `otherwise` makes the response. */
const AGENCY_WAIT_MS = 3_000;

const SERVICE_BUSY = new GatewayError('UPSTREAM_UNAVAILABLE');

/**
 * Status 200 with metadata, or 204 if the agency has no metadata of the work.
 * @param serviceUrl returns the URL of the agency's service, else of the work; null: the record has no URL
 * @param otherwise makes the response if the look-up of metadata fails or takes too long
 */
export function metadataResponse(
  name: DoiName,
  writing: MetadataWriter,
  request: RestRequest,
  serviceUrl: () => string | null,
  otherwise: () => HttpResponse,
): Soon<HttpResponse> {
  const { loaders, expiry, options, http } = request;
  const failed = (): HttpResponse => {
    expiry.mustNotBeCached();
    return otherwise();
  };
  const { isServiceBusy } = options.directory;
  const url = isServiceBusy ? serviceUrl() : null;
  const noRequest = url !== null && isServiceBusy?.(url) ? SERVICE_BUSY : undefined;
  return attempt<HttpResponse>(() => {
    const answer = loaders.metadata(name, writing.format, { noRequest });
    const inTime = answer instanceof Promise ? withinMs(AGENCY_WAIT_MS, answer, null) : answer;
    return mapSoon<MetadataAnswer | null, HttpResponse>(inTime, (known) => {
      if (known === null) return failed();
      const respondNow = () => respond(known, request, name, writing);
      if (lengthOf(known) <= LONG_CHARACTERS) return respondNow();
      return options.turns.next(http.requester.client.key).then(respondNow);
    });
  }, failed);
}

function respond(
  { content }: MetadataAnswer,
  { expiry, now }: RestRequest,
  name: DoiName,
  { contentType, write }: MetadataWriter,
): HttpResponse {
  const kept = { ...keepingHeaders(expiry, now), Vary: 'Accept' };
  if (content === null) return { status: 204, headers: kept, body: null };
  const { text, tag } = write(content, name);
  const link = `<${recommendedUrl(name)}>; rel="canonical"`;
  return restResponse(200, contentType, { ...kept, ETag: tag, Link: link }, text);
}
