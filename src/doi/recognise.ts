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
const SCHEME_IN_URL = /^(?:doi:|hdl:|info:doi\/|urn:doi:)/i;

const URN_SCHEME = /^urn:doi:/i;
const OTHER_SCHEMES: readonly (readonly [RegExp, DoiForm])[] = [
  [/^info:doi\//i, 'INFO_URI'],
  [/^hdl:\s*/i, 'HANDLE_URI'],
  [/^doi:\s*/i, 'URI'],
];

/** Recognises the form of a trimmed text. Never a URL parser: those collapse dot segments. */
export function recognise(text: string): Recognised {
  const host = HOST.exec(text);
  if (host) return recogniseUrl(text, host[0].length, host[1] ?? '');

  const urn = URN_SCHEME.exec(text);
  if (urn) return { form: 'URN', ...divideUrn(text, urn[0].length) };

  for (const [scheme, form] of OTHER_SCHEMES) {
    const match = scheme.exec(text);
    if (match) return { form, encodedName: text.slice(match[0].length), offset: match[0].length };
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
  const name =
    form === 'URN' ? divideUrn(beforeQuery, offset) : { encodedName: beforeQuery.slice(offset), offset };
  return {
    form,
    ...name,
    url: {
      query,
      fragment,
      isShortDoi: SHORT_DOI_HOST.test(host) && /^\/[A-Za-z0-9]+$/.test(path),
      namesSeveral: WHICH_RA_FACE.test(face) && name.encodedName.includes(','),
    },
  };
}

function formInUrl(scheme: string, host: string): DoiForm {
  if (scheme === 'urn:doi:') return 'URN';
  if (scheme === 'hdl:') return 'HANDLE_URI';
  return scheme === '' && HANDLE_HOST.test(host) ? 'HANDLE_URI' : 'URL';
}

/** The first `:` that comes before any `/` is the dividing slash (Handbook encoding, note on URNs). */
function divideUrn(text: string, offset: number): { encodedName: string; offset: number } {
  const name = text.slice(offset);
  return { encodedName: name.replace(/^([^:/]*):/, '$1/'), offset };
}

function divide(text: string, delimiter: string): [before: string, after: string | null] {
  const at = text.indexOf(delimiter);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}
