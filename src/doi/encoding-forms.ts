// Writes a DOI name in each of its forms. `labelled-forms.ts` lists the forms with labels.

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
  // Most texts contain no such character, and a test is faster than a replacement.
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

// The characters to encode, from the Handbook: DOI Name Encoding Rules, "Mandatory Rules" and "Recommended Rules". Do not
// compare with the scanned Table 2 of ANSI/NISO Z39.84-2000: it has misprints, and "?" and "+" are missing.
const MANDATORY = '%"# ?';
const RECOMMENDED = `${MANDATORY}<>{}^[]\`|\\+`;
// The punctuation that a path segment can contain unencoded (RFC 3986; DOI URI scheme, chapter 2, step 2a).
const URI_KEEPS = "-._~!$&'()*+,;=:@";

// A name with one slash and only characters that no form encodes. The encoders can skip most names for this reason.
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

/** `doi:10.1000/456#789` */
export function displayForm(name: DoiName): string {
  return `doi:${name}`;
}

/** `doi:10.1000/456%23789`, the DOI Name URI: a `/` of the suffix is `%2F` (DOI URI scheme, chapter 2). */
export function uriForm(name: DoiName): string {
  return `doi:${uriSegments(name)}`;
}

/** `https://doi.org/10.1000/456%23789`, dot segments guarded. */
export function recommendedUrl(name: DoiName): string {
  return `https://doi.org/${recommendedPath(name)}`;
}

/** `https://doi.org/10.1000/456%23789` with the mandatory characters encoded and no other. */
export function mandatoryUrl(name: DoiName): string {
  return `https://doi.org/${mandatoryPath(name)}`;
}

/** `http://dx.doi.org/10.1000/456%23789`, the address of the 2000 documents. */
export function dxUrl(name: DoiName): string {
  return `http://dx.doi.org/${recommendedPath(name)}`;
}

/** `urn:doi:10.1000:456%23789`: the first slash is written `:`, other slashes `%2F` (Handbook encoding, note). */
export function urnForm(name: DoiName): string {
  return `urn:doi:${urnSegments(name).replace('/', ':')}`;
}

/** `https://doi.org/urn:doi:10.1000:456%23789` */
export function urnUrl(name: DoiName): string {
  return `https://doi.org/${urnForm(name)}`;
}

/** `info:doi/10.1000/456%23789` */
export function infoUri(name: DoiName): string {
  return `info:doi/${uriPath(name)}`;
}

/** `hdl:10.1000/456%23789` */
export function handleUri(name: HandleName): string {
  return `hdl:${uriPath(name)}`;
}

/** `https://hdl.handle.net/20.500.12345/a%231`, with the same encoding as `recommendedUrl`. */
export function handleUrl(name: HandleName): string {
  return `https://hdl.handle.net/${recommendedPath(name)}`;
}

/** `https://doi.org/api/handles/10.1000/456%23789`, exactly as in the DOI URI scheme: dot segments are not guarded. */
export function apiUrl(name: DoiName): string {
  return `https://doi.org/api/handles/${uriSegments(name)}`;
}

/** `https://doi.org/doiRA/10.1000/a%2Cb` */
export function whichRaUrl(name: DoiName): string {
  return `https://doi.org/doiRA/${whichRaPath(name)}`;
}

/** `10.1000/100%25`: only the percent sign is encoded, for web forms and batch jobs (2000 web note). */
export function webForm(name: DoiName): string {
  return name.replaceAll('%', '%25');
}

/** `<a href="https://doi.org/10.1000/1">https://doi.org/10.1000/1</a>` */
export function htmlLink(name: DoiName): string {
  const url = escapeMarkup(recommendedUrl(name));
  return `<a href="${url}">${url}</a>`;
}

/** `[doi\:10\.1000\/1](https://doi.org/10.1000/1)` for CommonMark. */
export function markdownLink(name: DoiName): string {
  const text = displayForm(name).replace(/[!-/:-@[-`{-~]/g, '\\$&');
  const url = recommendedUrl(name).replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('&', '&amp;');
  return `[${text}](${url})`;
}

const HEX_BYTES = Array.from({ length: 0x100 }, (_, byte) => hexOfByte(byte));

/** `31 30 2E 31`: the bytes of the name in UTF-8. */
export function utf8Hex(name: string): string {
  return Array.from(new TextEncoder().encode(name), (byte) => HEX_BYTES[byte]).join(' ');
}

/** `['U+0031', 'U+0030', …]` */
export function codePoints(name: string): string[] {
  return Array.from(name, (character) => formatCodePoint(character.codePointAt(0) ?? 0));
}

/** `10.1000%2F1`, the value of `{hdl}` in the URL template of a location (Resolution doc, section 1). */
export const templateSegment: (name: HandleName) => string = encoderOfAllBut(TEMPLATE_KEEPS);

/** `10.1000/1`, the value of `{hdl:path}` in the URL template of a location. */
export function templatePath(name: HandleName): string {
  return guardDotSegments(encodeTemplatePath(name));
}

/**
 * A handle name in the path of a request to the proxy. Slashes stay as they are, dot segments are guarded, and the other
 * characters are encoded as in the DOI URI. The DOI URI scheme writes `%2F`, but some intermediate servers refuse it.
 */
export const handlePath = unlessPlain((name) => guardDotSegments(encodeUriPath(name)));

/** A handle name in the path of a Which RA request. Its commas are encoded, because a raw comma separates two names. */
export const whichRaPath = unlessPlain((name) => guardDotSegments(encodeForWhichRa(name)));

/** The request target `/api/handles/10.1000/1`. For a handle `..` it is `/api/handles%2F..`. */
export function handlesTarget(name: HandleName): string {
  return guardDotSegments(`/api/handles/${handlePath(name)}`);
}

/** The request target `/10.1000/1`, at which a proxy redirects. */
export function nameTarget(name: HandleName): string {
  return guardDotSegments(`/${handlePath(name)}`);
}

/** @param encodedNames results of `whichRaPath`, joined with commas; the target is `/doiRA/10.1000/1,10.1000/2` */
export function whichRaTarget(encodedNames: string): string {
  return guardDotSegments(`/doiRA/${encodedNames}`);
}

/**
 * URL parsers remove the segments `.` and `..`. They keep such a segment if the slash after it is encoded (Handbook
 * encoding, note). A last segment has no slash after it: there the slash before it is encoded.
 */
function guardDotSegments(path: string): string {
  if (!path.includes('/.') && !path.startsWith('.')) return path;
  return path.replace(/(?<=(?:^|\/)\.\.?)\/|\/(?=\.\.?$)/g, '%2F');
}
