// Writes a DOI name in each of its forms, and the query of a proxy URL.

import type { DoiName, HandleName } from './name.ts';
import { encoderOf, encoderOfAllBut, hexOfByte } from './percent.ts';
import { formatCodePoint } from './problem-messages.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML and XML: for the content of elements and for attribute values in quotation marks. */
export function escapeMarkup(text: string): string {
  // Most texts contain none of these characters, and a test is faster than a replacement.
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

// The characters to encode, from the Handbook: DOI Name Encoding Rules, "Mandatory Rules" and "Recommended Rules". Do not
// compare with the scanned Table 2 of ANSI/NISO Z39.84-2000: it has misprints, and "?" and "+" are missing.
const MANDATORY = '%"# ?';
const RECOMMENDED = `${MANDATORY}<>{}^[]\`|\\+`;
// The punctuation that a path segment can contain unencoded (RFC 3986; DOI URI scheme, chapter 2, step 2a).
const URI_KEEPS = "-._~!$&'()*+,;=:@";

// A name with one slash, and otherwise only characters that no form encodes. Most names are plain and need no encoder.
const PLAIN = /^[0-9][0-9.]*\/[A-Za-z0-9][A-Za-z0-9\-._~!$&'()*;=:@]*$/;

function unlessPlain(encode: (name: string) => string): (name: HandleName) => string {
  return (name) => (PLAIN.test(name) ? name : encode(name));
}

const encodeRecommended = encoderOf(RECOMMENDED);
const encodeForWhichRa = encoderOf(`${RECOMMENDED},`);
const encodeForUrn = encoderOf(`${RECOMMENDED}/`);
const encodeUriPath = encoderOfAllBut(`${URI_KEEPS}/`);
const encodeUriSegment = encoderOfAllBut(URI_KEEPS);

// The reference proxy keeps these characters when it fills in the URL template of a location.
const TEMPLATE_KEEPS = '-._*';
const encodeTemplatePath = encoderOfAllBut(`${TEMPLATE_KEEPS}/:@;=!$(),~`);

const mandatoryPath = unlessPlain(encoderOf(MANDATORY));
const recommendedPath = unlessPlain((name) => guardDotSegments(encodeRecommended(name)));
const uriPath = unlessPlain(encodeUriPath);
// The encoders begin after the prefix: no form encodes its digits and full stops.
const uriSegments = unlessPlain((name) => encodeUriSegment(name, name.indexOf('/') + 1));
const urnSegments = unlessPlain((name) => encodeForUrn(name, name.indexOf('/') + 1));

// The forms of a name. `WrittenForms` in doi-names.ts shows an example of each.

export const displayForm = (name: DoiName): string => `doi:${name}`;
export const uriForm = (name: DoiName): string => `doi:${uriSegments(name)}`;
export const recommendedUrl = (name: DoiName): string => `https://doi.org/${recommendedPath(name)}`;
export const mandatoryUrl = (name: DoiName): string => `https://doi.org/${mandatoryPath(name)}`;
export const dxUrl = (name: DoiName): string => `http://dx.doi.org/${recommendedPath(name)}`;
/** The first slash is written `:`, other slashes `%2F` (Handbook encoding, note). */
export const urnForm = (name: DoiName): string => `urn:doi:${urnSegments(name).replace('/', ':')}`;
export const urnUrl = (name: DoiName): string => `https://doi.org/${urnForm(name)}`;
export const infoUri = (name: DoiName): string => `info:doi/${uriPath(name)}`;
export const handleUri = (name: HandleName): string => `hdl:${uriPath(name)}`;
export const handleUrl = (name: HandleName): string => `https://hdl.handle.net/${recommendedPath(name)}`;
/** Dot segments are not guarded, because the DOI URI scheme does not guard them. */
export const apiUrl = (name: DoiName): string => `https://doi.org/api/handles/${uriSegments(name)}`;
export const whichRaUrl = (name: DoiName): string => `https://doi.org/doiRA/${whichRaPath(name)}`;
export const webForm = (name: DoiName): string => name.replaceAll('%', '%25');

export function htmlLink(name: DoiName): string {
  const url = escapeMarkup(recommendedUrl(name));
  return `<a href="${url}">${url}</a>`;
}

export function markdownLink(name: DoiName): string {
  const text = displayForm(name).replace(/[!-/:-@[-`{-~]/g, '\\$&');
  const url = recommendedUrl(name).replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('&', '&amp;');
  return `[${text}](${url})`;
}

const HEX_BYTES = Array.from({ length: 0x100 }, (_, byte) => hexOfByte(byte));

export function utf8Hex(name: string): string {
  return Array.from(new TextEncoder().encode(name), (byte) => HEX_BYTES[byte]).join(' ');
}

export function codePoints(name: string): string[] {
  return Array.from(name, (character) => formatCodePoint(character.codePointAt(0) ?? 0));
}

interface DoiEncoding {
  readonly label: string;
  readonly sourceDocument: string;
  readonly encode: (name: DoiName) => string;
}

const HANDBOOK = 'DOI Handbook, DOI Name Encoding Rules for URL Presentation';
const URI_SCHEME = 'DOI URI scheme specification';
const WEB_NOTE = 'Handling of Special Characters Within the DOI Syntax (2000)';
const NISO = 'ANSI/NISO Z39.84-2000';
const RESOLUTION = 'DOI Resolution Documentation';

/** All forms of a DOI name. A reader can compare the table with the documents that define the forms. */
export const DOI_ENCODINGS = {
  NAME: { label: 'DOI name', sourceDocument: 'DOI Handbook', encode: (name) => name },
  DISPLAY: { label: 'Display form', sourceDocument: URI_SCHEME, encode: displayForm },
  URI: { label: 'DOI Name URI', sourceDocument: URI_SCHEME, encode: uriForm },
  URL_RECOMMENDED: { label: 'URL', sourceDocument: HANDBOOK, encode: recommendedUrl },
  URL_MANDATORY: { label: 'URL, mandatory encoding', sourceDocument: HANDBOOK, encode: mandatoryUrl },
  DX_URL: { label: 'Old link (dx.doi.org)', sourceDocument: NISO, encode: dxUrl },
  URN: { label: 'URN', sourceDocument: HANDBOOK, encode: urnForm },
  URN_URL: { label: 'URN as URL', sourceDocument: HANDBOOK, encode: urnUrl },
  INFO_URI: { label: 'info URI', sourceDocument: 'RFC 4452', encode: infoUri },
  HANDLE_URI: { label: 'Handle URI', sourceDocument: 'Handle System, RFC 3650', encode: handleUri },
  API_URL: { label: 'REST API URL', sourceDocument: URI_SCHEME, encode: apiUrl },
  WHICH_RA_URL: { label: 'Which RA URL', sourceDocument: RESOLUTION, encode: whichRaUrl },
  WEB_FORM: { label: 'Web form and batch input', sourceDocument: WEB_NOTE, encode: webForm },
  HTML: { label: 'HTML link', sourceDocument: NISO, encode: htmlLink },
  MARKDOWN: { label: 'Markdown link', sourceDocument: 'CommonMark', encode: markdownLink },
  UTF8_HEX: { label: 'UTF-8 bytes', sourceDocument: NISO, encode: utf8Hex },
  CODE_POINTS: {
    label: 'Unicode code points',
    sourceDocument: URI_SCHEME,
    encode: (name) => codePoints(name).join(' '),
  },
} as const satisfies Record<string, DoiEncoding>;

export type DoiEncodingForm = keyof typeof DOI_ENCODINGS;

/** `10.1000%2F1`, the value of `{hdl}` in the URL template of a location (Resolution doc, section 1). */
export const templateSegment: (name: HandleName) => string = encoderOfAllBut(TEMPLATE_KEEPS);
/** `10.1000/1`, the value of `{hdl:path}` */
export const templatePath = (name: HandleName): string => guardDotSegments(encodeTemplatePath(name));

/**
 * A handle name in the path of a request to the proxy. Slashes stay as they are, dot segments are guarded, and the other
 * characters are encoded as in the DOI URI. The DOI URI scheme writes `%2F`, but some intermediate servers refuse `%2F`.
 */
export const handlePath = unlessPlain((name) => guardDotSegments(encodeUriPath(name)));

/** A handle name in the path of a Which RA request. Its commas are encoded, because a raw comma separates two names. */
export const whichRaPath = unlessPlain((name) => guardDotSegments(encodeForWhichRa(name)));

// The targets of HTTP requests. A handle `..` becomes `/api/handles%2F..`.
export const handlesTarget = (name: HandleName): string =>
  guardDotSegments(`/api/handles/${handlePath(name)}`);
/** `/10.1000/1`, which a proxy redirects */
export const nameTarget = (name: HandleName): string => guardDotSegments(`/${handlePath(name)}`);
/** `/doiRA/10.1000/1,10.1000/2`. @param encodedNames results of `whichRaPath`, joined with commas */
export const whichRaTarget = (encodedNames: string): string => guardDotSegments(`/doiRA/${encodedNames}`);

/**
 * URL parsers remove the segments `.` and `..`. They keep such a segment if the slash after it is encoded (Handbook
 * encoding, note). No slash follows the last segment: there the slash before the segment is encoded.
 */
function guardDotSegments(path: string): string {
  if (!path.includes('/.') && !path.startsWith('.')) return path;
  return path.replace(/(?<=(?:^|\/)\.\.?)\/|\/(?=\.\.?$)/g, '%2F');
}

/** The query parameters of the proxy (Resolution doc, section 3). */
export interface ProxyUrlParameters {
  readonly noRedirect?: boolean | null | undefined;
  readonly ignoreAliases?: boolean | null | undefined;
  readonly auth?: boolean | null | undefined;
  readonly cert?: boolean | null | undefined;
  readonly indexes?: readonly number[] | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly urlAppend?: string | null | undefined;
  readonly locatt?: readonly string[] | null | undefined;
  readonly country?: string | null | undefined;
  readonly showUrls?: boolean | null | undefined;
  readonly nols?: boolean | null | undefined;
}

/** `?noredirect&type=URL`; empty if there is no parameter. All values must be well-formed UTF-16. */
export function proxyQuery(parameters: ProxyUrlParameters): string {
  const { noRedirect, ignoreAliases, auth, cert, showUrls, nols } = parameters;
  const query = [
    noRedirect ? 'noredirect' : [],
    ignoreAliases ? 'ignore_aliases' : [],
    auth ? 'auth' : [],
    cert ? 'cert' : [],
    pairs('index', parameters.indexes),
    pairs('type', parameters.types),
    pairs('urlappend', parameters.urlAppend),
    pairs('locatt', parameters.locatt),
    pairs('country', parameters.country),
    showUrls ? 'action=showurls' : [],
    nols ? 'nols=y' : [],
  ].flat();
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

function pairs(key: string, values: string | readonly (string | number)[] | null | undefined): string[] {
  if (values === null || values === undefined) return [];
  return [values].flat().map((value) => `${key}=${encodeURIComponent(value)}`);
}
