// Which form an input is written in, and where in it the encoded name stands.

export const DOI_FORMS = ['NAME', 'WEB_FORM', 'URI', 'URL', 'URN', 'INFO_URI', 'HANDLE_URI'] as const;
export type DoiForm = (typeof DOI_FORMS)[number];

/** One parameter of a proxy URL's query, decoded; `value` is null for a bare flag such as `noredirect`. */
export interface ProxyParameter {
  readonly name: string;
  readonly value: string | null;
}

export interface Recognised {
  /** null: no form was recognised, and `encodedName` is taken literally */
  readonly form: DoiForm | null;
  readonly encodedName: string;
  /** UTF-16 offset of `encodedName` in the text */
  readonly offset: number;
  /** set when the input is an http(s) URL, whatever form stands in its path */
  readonly url?: RecognisedUrl;
}

export interface RecognisedUrl {
  /** encoded, without `?`; null when there is none */
  readonly query: string | null;
  /** raw, without `#`; null when there is none */
  readonly fragment: string | null;
  /** the path is that of a shortDOI: a DOI host and nothing but letters and digits */
  readonly isShortDoi: boolean;
  /** a Which RA path with raw commas names several DOIs */
  readonly namesSeveral: boolean;
}

const HOST =
  /^(?:(?:https?:)?\/\/)?(doi\.org|dx\.doi\.org|www\.doi\.org|hdl\.handle\.net)(?::\d*)?(?=[/?#]|$)/i;
const HANDLE_HOST = /^hdl\./i;
const SHORT_DOI_HOST = /^(?:dx\.)?doi\.org$/i;
const FACE = /^\/(?:api\/handles\/|doiRA\/|ra\/)?/i;
const WHICH_RA_FACE = /^\/(?:doiRA|ra)\/$/i;

interface Scheme {
  readonly scheme: string;
  /** what an input that begins with it is written in */
  readonly form: DoiForm;
  readonly whiteSpaceMayFollow: boolean;
}

const SCHEMES: readonly Scheme[] = [
  { scheme: 'urn:doi:', form: 'URN', whiteSpaceMayFollow: false },
  { scheme: 'info:doi/', form: 'INFO_URI', whiteSpaceMayFollow: false },
  { scheme: 'hdl:', form: 'HANDLE_URI', whiteSpaceMayFollow: true },
  { scheme: 'doi:', form: 'URI', whiteSpaceMayFollow: true },
];
const DOI_SCHEMES = SCHEMES.map(({ scheme }) => scheme);
/** What the proxy takes off besides. */
const HANDLE_SCHEMES = ['urn:hdl:', 'info:hdl/'];

const SCHEME_IN_URL = beginsWith(DOI_SCHEMES);
const SCHEME_IN_PATH = beginsWith([...DOI_SCHEMES, ...HANDLE_SCHEMES]);
const SCHEMES_OF_INPUTS = SCHEMES.map(({ scheme, form, whiteSpaceMayFollow }) => ({
  form,
  pattern: beginsWith([scheme], whiteSpaceMayFollow ? '\\s*' : ''),
}));

function beginsWith(schemes: readonly string[], behind = ''): RegExp {
  return new RegExp(`^(?:${schemes.join('|')})${behind}`, 'i');
}

/** Recognises the form of a trimmed text. Never a URL parser: those collapse dot segments. */
export function recognise(text: string): Recognised {
  const host = HOST.exec(text);
  if (host) return recogniseUrl(text, host[0].length, host[1] ?? '');

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

function recogniseUrl(text: string, pathStart: number, host: string): Recognised {
  const [beforeFragment, fragment] = divide(text, '#');
  const [beforeQuery, query] = divide(beforeFragment, '?');
  const path = beforeQuery.slice(pathStart);
  const face = FACE.exec(path)?.[0] ?? '';
  const scheme = SCHEME_IN_URL.exec(path.slice(face.length))?.[0] ?? '';
  const offset = pathStart + face.length + scheme.length;
  const form = formInUrl(scheme.toLowerCase(), host);
  const encodedName = beforeQuery.slice(offset);
  return {
    form,
    encodedName: form === 'URN' ? divideUrn(encodedName) : encodedName,
    offset,
    url: {
      query,
      fragment,
      isShortDoi: SHORT_DOI_HOST.test(host) && /^\/[A-Za-z0-9]+$/.test(path),
      namesSeveral: WHICH_RA_FACE.test(face) && encodedName.includes(','),
    },
  };
}

function formInUrl(scheme: string, host: string): DoiForm {
  if (scheme === 'urn:doi:') return 'URN';
  if (scheme === 'hdl:') return 'HANDLE_URI';
  return scheme === '' && HANDLE_HOST.test(host) ? 'HANDLE_URI' : 'URL';
}

/**
 * The name in a path of the REST face, its scheme taken off: those that a reader of DOI names knows, and
 * `info:hdl/` and `urn:hdl:`. In a URN the first `:` before any `/` becomes the dividing slash. Nothing is
 * decoded; without a scheme the path is returned as it is.
 */
export function withoutScheme(encoded: string): string {
  const scheme = SCHEME_IN_PATH.exec(encoded)?.[0] ?? '';
  const name = encoded.slice(scheme.length);
  return scheme.toLowerCase().startsWith('urn:') ? divideUrn(name) : name;
}

/** The first `:` that comes before any `/` is the dividing slash (Handbook encoding, note on URNs). */
function divideUrn(encodedName: string): string {
  return encodedName.replace(/^([^:/]*):/, '$1/');
}

function divide(text: string, delimiter: string): [before: string, after: string | null] {
  const at = text.indexOf(delimiter);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}
