// What an answer of /mcp, of the jobs, or with metadata in it may never be, one rule for each.

import type { ReadAnswer } from './read-answers.ts';
import type { FuzzRequest } from './whole-request.ts';

export type Rule = (answer: ReadAnswer, request: FuzzRequest) => string | null;

const STATUSES = new Set([
  ...[200, 201, 202, 204, 206, 300, 301, 302, 303, 304, 307, 308],
  ...[400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 414, 415, 416, 417, 422, 429, 431],
  ...[500, 501, 502, 503, 504, 505],
]);

export const FACE_RULES: Readonly<Record<string, Rule>> = {
  'the status is a sane one': ({ status }) => (STATUSES.has(status) ? null : `status ${status}`),
  'messages have their shape': ({ headers, body }, { method, target }) => {
    if (!/^\/mcp(?:[/?]|$)/.test(target) || method === 'HEAD' || body.length === 0) return null;
    const type = headers['content-type'] ?? '';
    // What is no request for any face is refused before it is known whose it is.
    if (type.startsWith('text/plain')) return null;
    const texts = type.startsWith('text/event-stream') ? dataIn(body) : [body.toString('utf8')];
    const messages = texts.flatMap((text) => JSON.parse(text) as unknown);
    return messages.map(wrongMessage).find((what) => what !== null) ?? null;
  },
  'jobs are for nobody else’s pages': ({ headers, body }, { target }) => {
    if (!/^\/jobs(?:[/?]|$)/.test(target) || body.length === 0) return null;
    const open = Object.keys(headers).find((name) => name.startsWith('access-control'));
    if (open !== undefined) return open;
    return headers['x-content-type-options'] === 'nosniff' ? null : 'no nosniff';
  },
  'a result is saved, and as long as it says': ({ status, headers, body }, { method, target }) => {
    if (!/^\/jobs\/[\w-]{24}\/result$/.test(target) || (status !== 200 && status !== 206)) return null;
    if (method === 'OPTIONS') return null;
    if (!/^attachment;/.test(headers['content-disposition'] ?? '')) return 'no attachment';
    const [, begin, end] = /^bytes (\d+)-(\d+)\/\d+$/.exec(headers['content-range'] ?? '') ?? [];
    if (status === 206 && end === undefined) return `content-range ${headers['content-range']}`;
    const told = end === undefined ? null : Number(end) - Number(begin) + 1;
    return told === null || method === 'HEAD' || told === body.length
      ? null
      : `${body.length} bytes of ${told}`;
  },
  'a job has its shape': ({ status, headers, body }, { method, target }) => {
    if (!/^\/jobs\/[\w-]{24}$/.test(target) || method !== 'GET' || status !== 200) return null;
    if (!/^application\/json/.test(headers['content-type'] ?? '')) return null;
    const { state, rows, rowsDone } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const isJob = typeof state === 'string' && typeof rows === 'number' && Number(rowsDone) <= rows;
    return isJob ? null : body.toString('utf8', 0, 200);
  },
  'titles have harmless markup alone': ({ headers, body }) => {
    if (!/json/.test(headers['content-type'] ?? '')) return null;
    const found = /"titleHtml":"((?:[^"\\]|\\.)*)"/g;
    const titles = [...body.toString('utf8').matchAll(found)].map(([, text = '']) => JSON.parse(`"${text}"`));
    return titles.find((title: string) => /<(?!\/?(?:i|b|sub|sup)>)/.test(title)) ?? null;
  },
};

function wrongMessage(message: unknown): string | null {
  const { jsonrpc, result, error } = Object(message) as Record<string, unknown>;
  const { code, message: words } = Object(error) as Record<string, unknown>;
  if (jsonrpc !== '2.0') return JSON.stringify(message).slice(0, 300);
  if ((result === undefined) === (error === undefined)) return 'neither or both of result and error';
  if (error === undefined) return null;
  if (!Number.isInteger(code) || typeof words !== 'string') return JSON.stringify(error).slice(0, 300);
  return null;
}

function dataIn(body: Buffer): string[] {
  return [...body.toString('utf8').matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data);
}
