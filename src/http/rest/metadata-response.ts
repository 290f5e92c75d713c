// Metadata at /{name}, for clients that accept a format that the gateway can write.

import etag from 'etag';
import type { Directory, MetadataAnswer } from '../../directory/directory.ts';
import { recommendedUrl } from '../../doi/encoding-forms.ts';
import type { DoiName } from '../../doi/name.ts';
import { lengthOf } from '../../loaders/record-bytes.ts';
import { writeBibtex } from '../../metadata/bibtex.ts';
import {
  CSL,
  isCitationLocale,
  isCitationStyle,
  type MetadataFormat,
} from '../../metadata/metadata-format.ts';
import { writeRis } from '../../metadata/ris.ts';
import type { CslItem } from '../../metadata/work.ts';
import { createTurns, mapSoon, type Soon, withinMs } from '../../time.ts';
import { type Answer, attempt } from '../request/exchange.ts';
import { keepingHeaders } from '../response/cache-headers.ts';
import type { AcceptedType } from '../response/negotiate.ts';
import type { Query, RestRequest } from './query.ts';
import { restAnswer, stringify } from './rest-answer.ts';

/** A format that the gateway writes, and the format that it requests from the agency. */
export interface Writing {
  readonly format: MetadataFormat;
  readonly contentType: string;
  readonly write: (content: NonNullable<MetadataAnswer['content']>, name: DoiName) => Written;
}

interface Written {
  readonly text: string;
  readonly tag: string;
}

const CSL_TYPES: ReadonlySet<string> = new Set([
  'application/vnd.citationstyles.csl+json',
  'application/citeproc+json',
  'application/json',
]);
const BIBTEX_TYPE = 'application/x-bibtex';
const RIS_TYPE = 'application/x-research-info-systems';
const BIBLIOGRAPHY_TYPES: ReadonlySet<string> = new Set(['text/x-bibliography', 'text/bibliography']);

/** The value of the `Link` header in a redirect. It says where programs find the metadata. */
export function describedBy(url: string): string {
  return ['application/vnd.citationstyles.csl+json', BIBTEX_TYPE, RIS_TYPE, 'text/x-bibliography']
    .map((type) => `<${url}>; rel="describedby"; type="${type}"`)
    .join(', ');
}

/** Parameters that the DOI proxy uses only for its redirect. A client that sends one of them gets the redirect. */
const OF_REDIRECTS = ['action', 'noredirect', 'locatt', 'type', 'index', 'urlappend', 'auth', 'cert'];

/**
 * The best type of the client that the gateway can write. Null if there is none, or if the query has a parameter of the
 * redirect.
 */
export function writingFor(accepted: readonly AcceptedType[], query: Query): Writing | null {
  const [best] = accepted;
  if (best === undefined || OF_REDIRECTS.some((parameter) => query.first(parameter) !== null)) return null;
  for (const range of accepted) {
    if (range.quality < best.quality) return null;
    const writing = writingOf(range);
    if (writing !== null) return writing;
  }
  return null;
}

function writingOf({ type, parameters }: AcceptedType): Writing | null {
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

const written = (text: string): Written => ({ text, tag: etag(text, { weak: true }) });

const cslText = rememberedText((csl) => stringify(csl));
const citationText: Writing['write'] = (text) => written(`${text}\n`);
const bibtexText = rememberedText(writeBibtex);
const risText = rememberedText(writeRis);

/** Longer texts are not remembered, because the cache of metadata does not count their memory. */
const MAX_REMEMBERED = 100_000;
/** Longer metadata waits for its own slice, because writing a megabyte takes up to 60 ms. */
const LONG_CHARACTERS = 20_000;
const turnsOfLarge = createTurns();

/** Remembers the text of each CSL item in memory. Writes it again if the name has another spelling. */
function rememberedText(write: (csl: CslItem, name: DoiName) => string): Writing['write'] {
  const entries = new WeakMap<object, Written & { readonly name: DoiName }>();
  return (csl, name) => {
    const known = entries.get(csl as CslItem);
    if (known?.name === name) return known;
    const entry = { ...written(write(csl as CslItem, name)), name };
    if (entry.text.length <= MAX_REMEMBERED) entries.set(csl as CslItem, entry);
    return entry;
  };
}

/** After this time without metadata, the gateway redirects the client to the agency's service. */
const AGENCY_WAIT_MS = 3_000;

export interface MetadataResponseOptions {
  readonly name: DoiName;
  readonly writing: Writing;
  /** Where the gateway redirects if it has no metadata. Null: there is no such service. */
  readonly serviceUrl: () => string | null;
  readonly directory: Pick<Directory, 'isServiceBusy'>;
  /** Makes the response if the look-up of metadata fails or takes too long. */
  readonly otherwise: () => Answer;
}

/** 200 with the metadata, 204 if the agency has none, else the response of `otherwise`. */
export function metadataResponse(request: RestRequest, options: MetadataResponseOptions): Soon<Answer> {
  const { name, writing, serviceUrl, directory, otherwise } = options;
  const { loaders, expiry } = request;
  const failed = (): Answer => {
    expiry.mustNotBeCached();
    return otherwise();
  };
  const mayRequest = (): boolean => {
    const url = serviceUrl();
    return url === null || directory.isServiceBusy?.(url) !== true;
  };
  return attempt<Answer>(() => {
    const answer = loaders.metadata(name, writing.format, { mayRequest });
    const inTime = answer instanceof Promise ? withinMs(AGENCY_WAIT_MS, answer, null) : answer;
    return mapSoon(inTime, (known) =>
      known === null ? failed() : respondInTurn(known, request, name, writing),
    );
  }, failed);
}

function respondInTurn(
  answer: MetadataAnswer,
  request: RestRequest,
  name: DoiName,
  writing: Writing,
): Soon<Answer> {
  const respondNow = (): Answer => respond(answer, request, name, writing);
  if (lengthOf(answer) <= LONG_CHARACTERS) return respondNow();
  return turnsOfLarge.next(request.asked.requester.client.key).then(respondNow);
}

function respond(
  { content }: MetadataAnswer,
  { expiry, now }: RestRequest,
  name: DoiName,
  { contentType, write }: Writing,
): Answer {
  const { 'Cache-Control': control, Expires } = keepingHeaders(expiry, now);
  const kept = { 'Cache-Control': control, Expires, Vary: 'Accept' };
  if (content === null) return withoutPage(204, kept);
  const { text, tag } = write(content, name);
  const link = `<${recommendedUrl(name)}>; rel="canonical"`;
  return restAnswer(200, contentType, { ...kept, ETag: tag, Link: link }, text);
}

/** For programs, which cannot use a page. */
export function withoutPage(
  status: 204 | 404,
  {
    'Cache-Control': control,
    Expires,
    Vary,
  }: { 'Cache-Control'?: string; Expires?: string; Vary?: string | undefined },
): Answer {
  return { status, headers: { 'Cache-Control': control, Expires, Vary }, body: null };
}
