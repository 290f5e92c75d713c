// Recognises the form of an input and finds the encoded name in it.

export const DOI_FORMS = ['NAME', 'WEB_FORM', 'URI', 'URL', 'URN', 'INFO_URI', 'HANDLE_URI'] as const;
export type DoiForm = (typeof DOI_FORMS)[number];

/** One parameter of a proxy URL's query, decoded; `value` is null for a bare flag such as `noredirect`. */
export interface ProxyParameter {
  readonly name: string;
  readonly value: string | null;
}

export interface Recognised {
  /** null: no form was recognised, and `encodedName` is not decoded */
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

/** doi.org and its other hosts. A university's proxy server adds its own domain: `doi-org.proxy.example.edu`. */
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

interface Scheme {
  readonly scheme: string;
  /** the form of an input that begins with the scheme */
  readonly form: DoiForm;
  readonly whiteSpaceMayFollow: boolean;
}

/** All schemes except `doi:`, which has other rules. */
const SCHEMES: readonly Scheme[] = [
  { scheme: 'urn:doi:', form: 'URN', whiteSpaceMayFollow: false },
  { scheme: 'urn:hdl:', form: 'URN', whiteSpaceMayFollow: false },
  { scheme: 'info:doi/', form: 'INFO_URI', whiteSpaceMayFollow: false },
  { scheme: 'info:hdl/', form: 'HANDLE_URI', whiteSpaceMayFollow: false },
  { scheme: 'hdl:', form: 'HANDLE_URI', whiteSpaceMayFollow: true },
];
const SCHEMES_OF_INPUTS = SCHEMES.map(({ scheme, form, whiteSpaceMayFollow }) => ({
  form,
  pattern: new RegExp(`^${scheme}${whiteSpaceMayFollow ? '\\s*' : ''}`, 'i'),
}));
const ANY_SCHEME = ['doi:', ...SCHEMES.map(({ scheme }) => scheme)].join('|');
const SCHEME_IN_PATH = new RegExp(`^(?:${ANY_SCHEME})`, 'i');

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
  const host = hostAt(text, urlStart);
  if (host) return recogniseUrl(text, urlStart + host[0].length, host[1] ?? '');

  const offset = DOI_SCHEME.exec(text)?.[0].length ?? 0;
  if (offset > 0) return { form: 'URI', encodedName: text.slice(offset), offset };
  for (const { form, pattern } of SCHEMES_OF_INPUTS) {
    const scheme = pattern.exec(text)?.[0];
    if (scheme === undefined) continue;
    const encodedName = text.slice(scheme.length);
    return {
      form,
      encodedName: form === 'URN' ? divideUrn(encodedName) : encodedName,
      offset: scheme.length,
    };
  }
  return { form: text.startsWith('10.') ? 'WEB_FORM' : null, encodedName: text, offset: 0 };
}

function hostAt(text: string, at: number): RegExpExecArray | null {
  HOST_HERE.lastIndex = at;
  return HOST_HERE.exec(text);
}

function recogniseUrl(text: string, pathStart: number, host: string): Recognised {
  const [beforeFragment, fragment] = divide(text, '#');
  const [beforeQuery, query] = divide(beforeFragment, '?');
  const path = beforeQuery.slice(pathStart);
  const beforeName = BEFORE_NAME.exec(path)?.[0] ?? '';
  const scheme = SCHEME_IN_PATH.exec(path.slice(beforeName.length))?.[0] ?? '';
  const offset = pathStart + beforeName.length + scheme.length;
  const form = formInUrl(scheme.toLowerCase(), host);
  const encodedName = beforeQuery.slice(offset);
  return {
    form,
    encodedName: form === 'URN' ? divideUrn(encodedName) : encodedName,
    offset,
    url: {
      query,
      fragment,
      isShortDoi: !HANDLE_HOST.test(host) && SHORT_DOI_PATH.test(path),
      namesSeveral: WHICH_RA_BEFORE_NAME.test(beforeName) && encodedName.includes(','),
    },
  };
}

function formInUrl(scheme: string, host: string): DoiForm {
  if (scheme.startsWith('urn:')) return 'URN';
  if (scheme === 'hdl:' || scheme === 'info:hdl/') return 'HANDLE_URI';
  return scheme === '' && HANDLE_HOST.test(host) ? 'HANDLE_URI' : 'URL';
}

/**
 * The encoded name from a path of the REST interface, without a scheme such as `doi:` or `urn:doi:`. In a URN, the first
 * `:` becomes the slash between prefix and suffix.
 */
export function withoutScheme(encoded: string): string {
  const scheme = SCHEME_IN_PATH.exec(encoded)?.[0] ?? '';
  const name = encoded.slice(scheme.length);
  return scheme.toLowerCase().startsWith('urn:') ? divideUrn(name) : name;
}

/** In a URN, a `:` stands for the slash after the prefix (Handbook encoding, note on URNs). */
function divideUrn(encodedName: string): string {
  return encodedName.replace(/^([^:/]*):/, '$1/');
}

function divide(text: string, delimiter: string): [before: string, after: string | null] {
  const at = text.indexOf(delimiter);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}
