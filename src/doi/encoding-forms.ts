// The forms a DOI name is written in. `labelled-forms.ts` lists them with labels.

import type { DoiName, HandleName } from './name.ts';
import { encoderOf, encoderOfAllBut, type PercentEncoder } from './percent.ts';
import { formatCodePoint } from './problem-messages.ts';

// Text that goes into HTML or XML.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and for attribute values in quotation marks. */
export function escapeMarkup(text: string): string {
  // Most texts have none of them, and to look is sooner done than to replace.
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

// Handbook encoding, "Mandatory Rules" and "Recommended Rules". The 2000 standard's scanned Table 2 prints
// the grave accent as (%6a) and loses the bar of (%7c); its tables have neither "?" nor "+".
const MANDATORY = '%"# ?';
const RECOMMENDED = `${MANDATORY}<>{}^[]\`|\\+`;
// RFC 3986: the unreserved punctuation, sub-delims, ":" and "@" (DOI URI scheme, chapter 2, step 2a).
const URI_KEEPS = "-._~!$&'()*+,;=:@";

// One slash, and no other character that any form encodes or guards. This fits most names, so one test is enough.
const PLAIN = /^[0-9][0-9.]*\/[A-Za-z0-9][A-Za-z0-9\-._~!$&'()*;=:@]*$/;

function unlessPlain(encode: PercentEncoder): PercentEncoder {
  return (name) => (PLAIN.test(name) ? name : encode(name));
}

const encodeRecommended = encoderOf(RECOMMENDED);
const encodeForWhichRa = encoderOf(`${RECOMMENDED},`);
const encodeForUrn = encoderOf(`${RECOMMENDED}/`);
const encodeUriPath = encoderOfAllBut(`${URI_KEEPS}/`);
const encodeUriSegment = encoderOfAllBut(URI_KEEPS);

// As the reference proxy fills in the templates of locations.
const TEMPLATE_KEEPS = '-._*';
const encodeTemplateSegment = encoderOfAllBut(TEMPLATE_KEEPS);
const encodeTemplatePath = encoderOfAllBut(`${TEMPLATE_KEEPS}/:@;=!$(),~`);

const mandatoryPath = unlessPlain(encoderOf(MANDATORY));
const recommendedPath = unlessPlain((name) => guardDotSegments(encodeRecommended(name)));
const whichRaNamePath = unlessPlain((name) => guardDotSegments(encodeForWhichRa(name)));
const uriPath = unlessPlain(encodeUriPath);
const guardedUriPath = unlessPlain((name) => guardDotSegments(encodeUriPath(name)));
// A prefix is digits and full stops, which no form encodes.
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

/** `urn:doi:10.1000:456%23789`: a colon divides, further slashes are encoded (Handbook encoding, note). */
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

/** `https://hdl.handle.net/20.500.12345/a%231`, encoded as the recommended URL. */
export function handleUrl(name: HandleName): string {
  return `https://hdl.handle.net/${recommendedPath(name)}`;
}

/** `https://doi.org/api/handles/10.1000/456%23789`: to the letter of the DOI URI scheme, no dot guard. */
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

const HEX_BYTES = Array.from({ length: 0x100 }, (_, byte) =>
  byte.toString(16).toUpperCase().padStart(2, '0'),
);

/** `31 30 2E 31`: the bytes of the name in UTF-8. */
export function utf8Hex(name: string): string {
  return Array.from(new TextEncoder().encode(name), (byte) => HEX_BYTES[byte]).join(' ');
}

/** `['U+0031', 'U+0030', …]` */
export function codePoints(name: string): string[] {
  return Array.from(name, (character) => formatCodePoint(character.codePointAt(0) ?? 0));
}

/** `10.1000%2F1`: `{hdl}` in the template of a location (Resolution doc, section 1). */
export function templateSegment(name: HandleName): string {
  return encodeTemplateSegment(name);
}

/** `10.1000/1`: `{hdl:path}` in the template of a location. */
export function templatePath(name: HandleName): string {
  return guardDotSegments(encodeTemplatePath(name));
}

/**
 * The path in which a handle name is sent to a proxy: its slashes raw, dot segments guarded, everything
 * else as in the DOI URI. Deliberately not the URI scheme's `%2F`, which some servers in between refuse.
 */
export function handlePath(name: HandleName): string {
  return guardedUriPath(name);
}

/** The path in which a handle name is sent to the Which RA service, where a raw comma divides names. */
export function whichRaPath(name: HandleName): string {
  return whichRaNamePath(name);
}

/** `/api/handles/10.1000/1`, as it is sent. Of a handle `..`, which no path ends in, `/api/handles%2F..`. */
export function handlesTarget(name: HandleName): string {
  return guardDotSegments(`/api/handles/${handlePath(name)}`);
}

/** `/10.1000/1`, where a proxy redirects, as it is sent. */
export function nameTarget(name: HandleName): string {
  return guardDotSegments(`/${handlePath(name)}`);
}

/** `/doiRA/10.1000/1,10.1000/2` of names as `whichRaPath` has them, divided by commas. */
export function whichRaTarget(encodedNames: string): string {
  return guardDotSegments(`/doiRA/${encodedNames}`);
}

/**
 * URL parsers collapse the segments `.` and `..`. Encoding the slash behind such a segment keeps it
 * (Handbook encoding, note); one at the very end has no slash behind it, so the one before it is encoded.
 */
function guardDotSegments(path: string): string {
  if (!path.includes('/.') && !path.startsWith('.')) return path;
  return path.replace(/(?<=(?:^|\/)\.\.?)\/|\/(?=\.\.?$)/g, '%2F');
}
