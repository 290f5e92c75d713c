// The rules for the gateway's responses, and the faults of a response.

import { ERROR_KINDS, isErrorCode } from '../../src/errors.ts';
import { AUTHENTICATION_NEEDED } from '../../src/handle/response-codes.ts';
import { API_KEY, CANARIES } from './canaries.ts';
import { type Conversation, NotHttp, type ReadResponse, readResponses } from './conversation.ts';
import type { FuzzRequest } from './whole-request.ts';

export interface Fault {
  readonly rule: string;
  readonly what: string;
}

/** Returns the part of the response that breaks the rule, or null. If the function throws, the rule is also broken. */
type Rule = (response: ReadResponse, request: FuzzRequest) => string | null;

/** Applies a rule only if `target` matches the request's target and `type` matches the response's content type. */
const on =
  (target: RegExp, type: RegExp, find: Rule): Rule =>
  (response, request) => {
    const isConcerned = target.test(request.target) && type.test(response.headers['content-type'] ?? '');
    return isConcerned && request.method !== 'HEAD' ? find(response, request) : null;
  };
const ANY = /^/;
const GRAPHQL = /^\/graphql(?:\?|$)/;
const JSON_TYPE = /^application\/(?:graphql-response\+)?json/;
const PARTS_TYPE = /^(?:multipart\/mixed|text\/event-stream)/;
/** Every type but plain text. If bytes are not an HTTP request, the gateway refuses them with a plain text. */
const MESSAGE_TYPE = /^(?!text\/plain)/;

const STATUSES = new Set([
  ...[200, 201, 202, 204, 206, 300, 301, 302, 303, 304, 307, 308],
  ...[400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 414, 415, 416, 417, 422, 429, 431],
  ...[500, 501, 502, 503, 504, 505],
]);
const INTERNAL_ERROR = ERROR_KINDS.INTERNAL_SERVER_ERROR.message;
const AUTHORIZATION = new RegExp(`^authorization: *Bearer +${API_KEY}`, 'gim');
/** How the REST API reports that a resolution failed, with or without a callback around it. */
const FAILED_RESOLUTION = /^(?:\w*\()?\{\s*"responseCode":\s*-?\d+\b/;
const HARMLESS_TARGET = /^(?:(?:https?|ftp):\/\/|\/(?![/\\])|\.{1,2}\/)[\x21-\x7e]*$/i;

/** Returns null, or if something is not right, what it is. */
const unless = (isRight: boolean, what = ''): string | null => (isRight ? null : what.slice(0, 300));

const RULES: Readonly<Record<string, Rule>> = {
  'the status is an expected one': ({ status }) => unless(STATUSES.has(status), `status ${status}`),
  // A client that sends a canary itself may get it back.
  'no canary': (response, { bytes }) => {
    const canaries = CANARIES.filter((canary) => !bytes.includes(canary));
    return aroundSecret(canaries, response);
  },
  // A key in the Authorization header must not come back, even to the client that sent it. A key in another part of the
  // request may come back.
  'no API key': (response, { bytes }) =>
    bytes.replaceAll(AUTHORIZATION, '').includes(API_KEY) ? null : aroundSecret([API_KEY], response),
  'no internal error': ({ status, text }, { method }) => {
    const secret = [INTERNAL_ERROR, 'INTERNAL_SERVER_ERROR'].find((part) => text.includes(part));
    if (secret !== undefined) return around(text, secret);
    const isRight = status !== 500 || method === 'HEAD' || FAILED_RESOLUTION.test(text);
    return unless(isRight, `status 500: ${text}`);
  },
  'no stack': ({ text }) => {
    const frame = /\n {4}at \S+ \(?(?:file|node|\/)|node_modules\//.exec(text);
    return frame ? around(text, frame[0]) : null;
  },
  'JSON is JSON': on(ANY, JSON_TYPE, ({ status, text }) => {
    if (status !== 304) JSON.parse(text);
    return null;
  }),
  'GraphQL has its shape': on(GRAPHQL, JSON_TYPE, ({ text }) => wrongResult(JSON.parse(text))),
  'parts have their shape': on(GRAPHQL, PARTS_TYPE, ({ headers, text }) => {
    const parts = headers['content-type']?.startsWith('multipart')
      ? multipartIn(text)
      : dataIn(text).filter((data) => data.startsWith('{'));
    if (parts.length === 0) return 'no part';
    return firstWrong(parts, (part, at) => wrongPart(JSON.parse(part) as Part, at === parts.length - 1));
  }),
  'records have their shape': on(/^\/api\/handles\//i, JSON_TYPE, ({ text }) => {
    const { responseCode, handle } = JSON.parse(text) as Record<string, unknown>;
    // A request with a wrong API key is refused before its name is read.
    const hasHandle = typeof handle === 'string' || responseCode === AUTHENTICATION_NEEDED;
    return unless(typeof responseCode === 'number' && hasHandle, text);
  }),
  'agencies have their shape': on(/^\/(?:doiRA|ra)\//i, JSON_TYPE, ({ status, text }) => {
    const rows = JSON.parse(text) as Record<string, unknown>[];
    const isRow = (row: Record<string, unknown>) =>
      typeof row['DOI'] === 'string' && typeof (row['RA'] ?? row['status']) === 'string';
    return unless(status !== 200 || (Array.isArray(rows) && rows.every(isRow)), text);
  }),
  'messages have their shape': on(/^\/mcp(?:[/?]|$)/, MESSAGE_TYPE, ({ headers, text }) => {
    if (text === '') return null;
    const texts = headers['content-type']?.startsWith('text/event-stream') ? dataIn(text) : [text];
    const messages = texts.flatMap((one) => JSON.parse(one) as unknown);
    return firstWrong(messages, wrongMessage);
  }),
  'pages of other origins cannot read jobs': on(/^\/jobs(?:[/?]|$)/, ANY, ({ headers, text }) => {
    const open = Object.keys(headers).find((name) => name.startsWith('access-control'));
    const isClosed = open === undefined && headers['x-content-type-options'] === 'nosniff';
    return unless(text === '' || isClosed, open ?? 'no nosniff');
  }),
  'a result is an attachment of the stated length': ({ status, headers, body }, { method, target }) => {
    const isResult = /^\/jobs\/[\w-]{24}\/result$/.test(target) && (status === 200 || status === 206);
    if (!isResult || method === 'OPTIONS') return null;
    if (!/^attachment;/.test(headers['content-disposition'] ?? '')) return 'no attachment';
    const [, begin, end] = /^bytes (\d+)-(\d+)\/\d+$/.exec(headers['content-range'] ?? '') ?? [];
    if (end === undefined) return unless(status !== 206, `content-range ${headers['content-range']}`);
    const length = Number(end) - Number(begin) + 1;
    return unless(method === 'HEAD' || length === body.length, `${body.length} bytes of ${length}`);
  },
  'a job has its shape': on(/^\/jobs\/[\w-]{24}$/, JSON_TYPE, ({ status, text }, { method }) => {
    if (method !== 'GET' || status !== 200) return null;
    const { state, rows, rowsDone } = JSON.parse(text) as Record<string, unknown>;
    return unless(typeof state === 'string' && typeof rows === 'number' && Number(rowsDone) <= rows, text);
  }),
  'titles contain only harmless markup': on(ANY, /json/, ({ text }) => {
    const matches = text.matchAll(/"titleHtml":"((?:[^"\\]|\\.)*)"/g);
    const titles = Array.from(matches, ([, title = '']): string => JSON.parse(`"${title}"`));
    return titles.find((title) => /<(?!\/?(?:i|b|sub|sup)>)/.test(title)) ?? null;
  }),
  'redirects lead only to harmless addresses': ({ headers: { location } }) =>
    unless(location === undefined || HARMLESS_TARGET.test(location), location),
  'no query adds a header': ({ headers }) => unless(!('x-injected' in headers), 'x-injected'),
};

/** Returns the rules that the responses break; `[]`: they break no rule. */
export function faultsOf(request: FuzzRequest, { received, ending }: Conversation): Fault[] {
  const isWhole = request.kind === 'whole';
  if (isWhole && ending !== 'closed') return [{ rule: 'a whole response in time', what: ending }];
  let responses: readonly ReadResponse[];
  try {
    responses = readResponses(received, request.method !== 'HEAD');
  } catch (error) {
    if (!(error instanceof NotHttp)) throw error;
    // If the request is not whole, it may be a HEAD request, or the connection may end in the middle of the response.
    return isWhole ? [{ rule: 'responses are HTTP', what: error.message }] : [];
  }
  if (isWhole && responses.length !== 1) {
    const what = `${responses.length} responses to ${request.method} ${request.target}`;
    return [{ rule: 'one response', what }];
  }
  return responses.flatMap((response) => broken(response, request));
}

function broken(response: ReadResponse, request: FuzzRequest): Fault[] {
  return Object.entries(RULES).flatMap(([rule, find]) => {
    try {
      const what = find(response, request);
      return what === null ? [] : [{ rule, what }];
    } catch (error) {
      return [{ rule, what: `${error}` }];
    }
  });
}

function firstWrong<Item>(items: readonly Item[], wrong: (item: Item, at: number) => string | null) {
  return items.map(wrong).find((what) => what !== null) ?? null;
}

/** Returns the text around the first secret in a response. */
function aroundSecret(secrets: readonly string[], { headers, text: body }: ReadResponse): string | null {
  const sent = `${JSON.stringify(headers)}\n${body}`;
  const secret = secrets.find((text) => sent.includes(text));
  return secret === undefined ? null : around(sent, secret);
}

function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 150), at + 150);
}

function wrongResult(result: unknown): string | null {
  const { data, errors, hasNext: _, extensions: __, ...others } = result as Record<string, unknown>;
  if (Object.keys(others).length > 0) return `members ${Object.keys(others).join(', ')}`;
  return data === undefined && errors === undefined ? 'neither data nor errors' : wrongErrors(errors);
}

function wrongErrors(errors: unknown): string | null {
  if (errors === undefined) return null;
  if (!Array.isArray(errors) || errors.length === 0) return 'errors are no filled list';
  return firstWrong(errors, (error) =>
    unless(typeof error.message === 'string' && isErrorCode(error.extensions?.code), JSON.stringify(error)),
  );
}

interface Part {
  readonly hasNext?: unknown;
  readonly errors?: unknown;
  readonly incremental?: readonly { readonly errors?: unknown }[];
}

function wrongPart({ hasNext, errors, incremental = [] }: Part, isLast: boolean): string | null {
  if (hasNext !== undefined && hasNext !== !isLast) return `hasNext is ${hasNext}`;
  return firstWrong([errors, ...incremental.map((part) => part.errors)], wrongErrors);
}

function wrongMessage(message: unknown): string | null {
  const { jsonrpc, result, error } = Object(message) as Record<string, unknown>;
  const { code, message: words } = Object(error) as Record<string, unknown>;
  const isResult = result !== undefined && error === undefined;
  const isError = result === undefined && Number.isInteger(code) && typeof words === 'string';
  return unless(jsonrpc === '2.0' && (isResult || isError), JSON.stringify(message));
}

function multipartIn(text: string): string[] {
  const parts = text.split(/\r\n---?-?-?-?-?(?:\r\n|$)|^---\r\n/);
  return parts.map((part) => part.slice(part.indexOf('\r\n\r\n') + 4)).filter((part) => part.startsWith('{'));
}

function dataIn(text: string): string[] {
  return Array.from(text.matchAll(/^data: (.+)$/gm), ([, data = '']) => data);
}
