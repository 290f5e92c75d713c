// What an answer of the gateway may never be, one rule for each.

import { ERROR_KINDS, isErrorCode } from '../../src/errors.ts';
import { API_KEY, CANARIES } from './canaries.ts';
import type { Conversation } from './conversation.ts';
import { FACE_RULES, type Rule } from './face-rules.ts';
import { NotHttp, type ReadAnswer, readAnswers } from './read-answers.ts';
import type { FuzzRequest } from './whole-request.ts';

export interface Fault {
  readonly rule: string;
  readonly what: string;
}

const OUR_FAULT = ERROR_KINDS.INTERNAL_SERVER_ERROR.message;

const AUTHORIZATION = new RegExp(`^authorization: *Bearer +${API_KEY}`, 'gim');

const RULES: Readonly<Record<string, Rule>> = {
  ...FACE_RULES,
  'no canary': (answer, { bytes }) =>
    // A client that sends one itself may get it back.
    placeOf(
      CANARIES.filter((canary) => !bytes.includes(canary)),
      answer,
    ),
  // Nor to who sends it, but for one who sends it where it does not belong.
  'no API key': (answer, { bytes }) =>
    bytes.replaceAll(AUTHORIZATION, '').includes(API_KEY) ? null : placeOf([API_KEY], answer),
  'no fault of ours': ({ status, body }, { method }) => {
    const text = body.toString('utf8');
    if (text.includes(OUR_FAULT) || text.includes('INTERNAL_SERVER_ERROR')) return around(text, OUR_FAULT);
    if (status !== 500) return null;
    // The REST API's own way to say that a resolution failed, wrapped for a script or not.
    if (method === 'HEAD') return null;
    return /^(?:\w*\()?\{\s*"responseCode":\s*-?\d+\b/.test(text)
      ? null
      : `status 500: ${text.slice(0, 200)}`;
  },
  'no stack': ({ body }) => {
    const place = /\n {4}at \S+ \(?(?:file|node|\/)|node_modules\//.exec(body.toString('utf8'));
    return place ? around(body.toString('utf8'), place[0]) : null;
  },
  'JSON is JSON': ({ headers, body, status }, { method }) => {
    if (!isJson(headers) || method === 'HEAD' || status === 304) return null;
    try {
      JSON.parse(body.toString('utf8'));
      return null;
    } catch {
      return body.toString('utf8', 0, 200);
    }
  },
  'GraphQL has its shape': ({ headers, body }, { method, target }) => {
    if (!/^\/graphql(?:\?|$)/.test(target) || method === 'HEAD' || !isJson(headers)) return null;
    return wrongResult(JSON.parse(body.toString('utf8')));
  },
  'parts have their shape': ({ headers, body }, { method, target }) => {
    const type = headers['content-type'] ?? '';
    if (
      method === 'HEAD' ||
      !/^\/graphql(?:\?|$)/.test(target) ||
      !/^(?:multipart\/mixed|text\/event-stream)/.test(type)
    )
      return null;
    const parts = type.startsWith('multipart') ? multipartIn(body) : eventsIn(body);
    const results = parts.map((part) => JSON.parse(part) as { hasNext?: unknown });
    const wrong = results
      .map((part, at) => wrongPart(part, at === results.length - 1))
      .find((text) => text !== null);
    return results.length === 0 ? 'no part' : (wrong ?? null);
  },
  'records have their shape': ({ headers, body }, { method, target }) => {
    if (!/^\/api\/handles\//i.test(target) || method === 'HEAD' || !isJson(headers)) return null;
    const record = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const isRecord = typeof record['responseCode'] === 'number' && typeof record['handle'] === 'string';
    return isRecord ? null : body.toString('utf8', 0, 200);
  },
  'agencies have their shape': ({ headers, body, status }, { method, target }) => {
    if (!/^\/(?:doiRA|ra)\//i.test(target) || method === 'HEAD' || status !== 200 || !isJson(headers))
      return null;
    const rows = JSON.parse(body.toString('utf8')) as Record<string, unknown>[];
    const isRow = (row: Record<string, unknown>) =>
      typeof row['DOI'] === 'string' && typeof (row['RA'] ?? row['status']) === 'string';
    return Array.isArray(rows) && rows.every(isRow) ? null : body.toString('utf8', 0, 200);
  },
  'targets are harmless': ({ headers: { location } }) =>
    location === undefined || /^(?:(?:https?|ftp):\/\/|\/(?![/\\])|\.{1,2}\/)[\x21-\x7e]*$/i.test(location)
      ? null
      : location,
  'no header from a query': ({ headers }) => ('x-injected' in headers ? 'x-injected' : null),
};

function placeOf(secrets: readonly string[], { headers, body }: ReadAnswer): string | null {
  const told = `${JSON.stringify(headers)}\n${body.toString('utf8')}`;
  const found = secrets.find((secret) => told.includes(secret));
  return found === undefined ? null : around(told, found);
}

/** @returns `[]` where all is well */
export function faultsOf(request: FuzzRequest, { received, ending }: Conversation): Fault[] {
  const isWhole = request.kind === 'whole';
  if (isWhole && ending !== 'closed') return [{ rule: 'answered in time, and whole', what: ending }];
  let answers: readonly ReadAnswer[];
  try {
    answers = readAnswers(received, request.method === 'HEAD');
  } catch (error) {
    if (!(error instanceof NotHttp)) throw error;
    // Of bytes nobody knows what they ask for: a HEAD, or an answer that was cut short with its connection.
    return isWhole ? [{ rule: 'answers are HTTP', what: error.message }] : [];
  }
  if (isWhole && answers.length !== 1) {
    return [{ rule: 'one answer', what: `${answers.length} answers to ${request.method} ${request.target}` }];
  }
  return answers.flatMap((answer) => broken(answer, request));
}

function broken(answer: ReadAnswer, request: FuzzRequest): Fault[] {
  return Object.entries(RULES).flatMap(([rule, find]) => {
    try {
      const what = find(answer, request);
      return what === null ? [] : [{ rule, what }];
    } catch (error) {
      return [{ rule, what: `${error}` }];
    }
  });
}

const isJson = (headers: ReadAnswer['headers']): boolean =>
  /^application\/(?:graphql-response\+)?json/.test(headers['content-type'] ?? '');

function wrongResult(result: unknown): string | null {
  const { data, errors, ...others } = result as {
    data?: unknown;
    errors?: unknown;
    [other: string]: unknown;
  };
  const strangers = Object.keys(others).filter((name) => !['hasNext', 'extensions'].includes(name));
  if (strangers.length > 0) return `members ${strangers.join(', ')}`;
  if (data === undefined && errors === undefined) return 'neither data nor errors';
  return wrongErrors(errors);
}

function wrongErrors(errors: unknown): string | null {
  if (errors === undefined) return null;
  if (!Array.isArray(errors) || errors.length === 0) return 'errors that are none';
  const wrong = errors.find(
    ({ message, extensions }) => typeof message !== 'string' || !isErrorCode(extensions?.code),
  );
  return wrong === undefined ? null : JSON.stringify(wrong).slice(0, 300);
}

interface Part {
  readonly hasNext?: unknown;
  readonly errors?: unknown;
  readonly incremental?: readonly { readonly errors?: unknown }[];
}

function wrongPart(part: Part, isLast: boolean): string | null {
  if (part.hasNext !== undefined && part.hasNext !== !isLast) return `hasNext is ${part.hasNext}`;
  const all = [part.errors, ...(part.incremental ?? []).map(({ errors }) => errors)];
  return all.map(wrongErrors).find((text) => text !== null) ?? null;
}

function multipartIn(body: Buffer): string[] {
  const parts = body.toString('utf8').split(/\r\n---?-?-?-?-?(?:\r\n|$)|^---\r\n/);
  return parts.map((part) => part.slice(part.indexOf('\r\n\r\n') + 4)).filter((text) => text.startsWith('{'));
}

function eventsIn(body: Buffer): string[] {
  return [...body.toString('utf8').matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => json);
}

function around(text: string, found: string): string {
  const at = Math.max(0, text.indexOf(found));
  return text.slice(Math.max(0, at - 150), at + 150);
}
