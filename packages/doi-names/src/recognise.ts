// Finds the encoded name in an input: removes white space and brackets around it, and recognises its form.

export const DOI_FORMS = ['NAME', 'WEB_FORM', 'URI', 'URL', 'URN', 'INFO_URI', 'HANDLE_URI'] as const;
export type DoiForm = (typeof DOI_FORMS)[number];

/** One parameter of a proxy URL's query, decoded; `value` is null for a bare flag such as `noredirect`. */
export interface ProxyParameter {
  readonly name: string;
  readonly value: string | null;
}

export interface Recognised {
  /** null if no form was recognised; then `encodedName` must not be decoded */
  readonly form: DoiForm | null;
  readonly encodedName: string;
  /** UTF-16 offset of `encodedName` in the text */
  readonly offset: number;
  /** set if the input is an http(s) URL, even if its path has another form, such as a URN */
  readonly url?: RecognisedUrl;
}

export interface RecognisedUrl {
  /** encoded, without `?`; null if there is no `?` */
  readonly query: string | null;
  /** encoded, without `#`; null if there is no `#` */
  readonly fragment: string | null;
  /** `https://doi.org/abcde` */
  readonly isShortDoi: boolean;
  /** a Which RA path with several names: `/doiRA/10.1000/1,10.1000/2` */
  readonly namesSeveral: boolean;
}

/** The hosts of DOI and handle proxies. A university's proxy server adds its own domain: `doi-org.proxy.example.edu`. */
const HOST =
  '(?:(?:https?:)?//)?' +
  '((?:dx\\.|www\\.)?doi\\.org|hdl\\.handle\\.net|(?:dx-|www-)?doi-org(?=\\.)|hdl-handle-net(?=\\.))' +
  '(?:\\.[a-z0-9-]{1,63}){0,126}(?::\\d*)?(?=[/?#]|$)';
const HOST_HERE = new RegExp(HOST, 'iy');
const HANDLE_HOST = /^hdl/i;
/** The path before the name. Repeated slashes are read as one slash. */
const BEFORE_NAME = /^\/+(?:api\/+handles\/+|doiRA\/+|ra\/+)?/i;
const WHICH_RA_BEFORE_NAME = /^\/+(?:doiRA|ra)\/+$/i;
const SHORT_DOI_PATH = /^\/+[A-Za-z0-9]+$/;

/** For each scheme, the form of an input that begins with the scheme. */
const FORM_OF_SCHEME: ReadonlyMap<string, DoiForm> = new Map([
  ['doi:', 'URI'],
  ['urn:doi:', 'URN'],
  ['urn:hdl:', 'URN'],
  ['info:doi/', 'INFO_URI'],
  ['info:hdl/', 'HANDLE_URI'],
  ['hdl:', 'HANDLE_URI'],
]);
const ANY_SCHEME = [...FORM_OF_SCHEME.keys()].join('|');
const SCHEME = new RegExp(`^(?:${ANY_SCHEME})`, 'i');

/** `DOI` without a colon, before a bare name. */
const DOI_LABEL = 'doi\\s+(?=10\\.)';
/** `doi:` can be repeated: `doi:doi:10.1000/1`. */
const DOI_SCHEME = new RegExp(`^(?:doi:\\s*(?:doi:\\s*|${DOI_LABEL})?|${DOI_LABEL})`, 'i');
const DOI_BEFORE_URL = /^doi:(?:\s+|(?!\/))/i;

const FORM_HERE = new RegExp(`${ANY_SCHEME}|${DOI_LABEL}|10[./]|${HOST}`, 'iy');

/** Whether one of the forms, or a bare shortDOI, begins at this offset. */
export function beginsForm(text: string, at = 0): boolean {
  FORM_HERE.lastIndex = at;
  return FORM_HERE.test(text);
}

/** Recognises the form of a trimmed text. It does not use a URL parser, because URL parsers remove dot segments. */
export function recognise(text: string): Recognised {
  const urlStart = DOI_BEFORE_URL.exec(text)?.[0].length ?? 0;
  HOST_HERE.lastIndex = urlStart;
  const host = HOST_HERE.exec(text);
  if (host) return recogniseUrl(text, urlStart + host[0].length, host[1] ?? '');

  const offset = DOI_SCHEME.exec(text)?.[0].length ?? 0;
  if (offset > 0) return { form: 'URI', encodedName: text.slice(offset), offset };
  const { scheme, name } = divideScheme(text);
  const form = FORM_OF_SCHEME.get(scheme) ?? (text.startsWith('10.') ? 'WEB_FORM' : null);
  // Of these schemes, only `hdl:` can have white space after it. DOI_SCHEME reads `doi:`.
  const encodedName = scheme === 'hdl:' ? name.trimStart() : name;
  return { form, encodedName, offset: text.length - encodedName.length };
}

function recogniseUrl(text: string, pathStart: number, host: string): Recognised {
  const [beforeFragment, fragment] = divide(text, '#');
  const [beforeQuery, query] = divide(beforeFragment, '?');
  const path = beforeQuery.slice(pathStart);
  const beforeName = BEFORE_NAME.exec(path)?.[0] ?? '';
  const { scheme, name: encodedName } = divideScheme(path.slice(beforeName.length));
  const form = scheme === '' && HANDLE_HOST.test(host) ? 'HANDLE_URI' : FORM_OF_SCHEME.get(scheme);
  return {
    form: form === 'URN' || form === 'HANDLE_URI' ? form : 'URL',
    encodedName,
    offset: pathStart + beforeName.length + scheme.length,
    url: {
      query,
      fragment,
      isShortDoi: !HANDLE_HOST.test(host) && SHORT_DOI_PATH.test(path),
      namesSeveral: WHICH_RA_BEFORE_NAME.test(beforeName) && encodedName.includes(','),
    },
  };
}

/** The encoded name from a path of the REST interface, without a scheme such as `doi:` or `urn:doi:`. */
export function withoutScheme(encoded: string): string {
  return divideScheme(encoded).name;
}

/** The scheme is in lower case; empty if there is none. */
function divideScheme(text: string): { readonly scheme: string; readonly name: string } {
  const scheme = SCHEME.exec(text)?.[0].toLowerCase() ?? '';
  const name = text.slice(scheme.length);
  // In a URN, a `:` stands for the slash after the prefix (Handbook encoding, note on URNs).
  return { scheme, name: scheme.startsWith('urn:') ? name.replace(/^([^:/]*):/, '$1/') : name };
}

function divide(text: string, delimiter: string): [before: string, after: string | null] {
  const at = text.indexOf(delimiter);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

export interface PlacedText {
  readonly text: string;
  /** UTF-16 offset of the part in the input */
  readonly start: number;
}

/** The white space that `String.prototype.trim` removes, and invisible format characters. */
const EDGE = /[\s\u200b-\u200f\u2060-\u2064\ufeff\u00ad]/;

/** The input without white space and invisible characters at its ends. */
export function withoutEdges(input: string): PlacedText {
  let start = 0;
  let end = input.length;
  while (start < end && isEdge(input, start)) start += 1;
  while (end > start && isEdge(input, end - 1)) end -= 1;
  return { text: input.slice(start, end), start };
}

function isEdge(input: string, at: number): boolean {
  const code = input.charCodeAt(at);
  return code <= 0x20 || code >= 0x7f ? EDGE.test(input[at] ?? '') : false;
}

const CLOSERS: Readonly<Record<string, string>> = {
  '<': '>',
  '(': ')',
  '[': ']',
  '{': '}',
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '«': '»',
};

/** The trimmed text inside the brackets or quotes that enclose the whole text; null without such a pair. */
export function insideOfPair({ text, start }: PlacedText): PlacedText | null {
  const opener = text[0] ?? '';
  const closer = CLOSERS[opener];
  if (closer === undefined || text.length < 2 || !text.endsWith(closer)) return null;
  const inside = text.slice(1, -1);
  if (!isBalanced(inside, opener, closer)) return null;
  const leading = inside.length - inside.trimStart().length;
  return { text: inside.trim(), start: start + 1 + leading };
}

/** The input without white space, invisible characters and one pair of brackets or quotes around it. */
export function bareText(input: string): string {
  const outer = withoutEdges(input);
  return (insideOfPair(outer) ?? outer).text;
}

/** Whether each bracket in the text has its partner. False for the inside of `(a) and (b)`. */
export function isBalanced(text: string, opener: string, closer: string): boolean {
  if (opener === closer) return !text.includes(closer);
  let depth = 0;
  for (const character of text) {
    if (character === opener) depth += 1;
    else if (character === closer) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
