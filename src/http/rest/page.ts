// The pages at `/{name}`: the values of a record, "not found", and errors. They have no scripts.

import { createHash } from 'node:crypto';
import type { HandleName, ParsedDoi } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import {
  escapeMarkup,
  handlePath,
  literalHandle,
  meantBy,
  nameWarnings,
  parseDoi,
  toHandleName,
} from 'doi-names/parts';
import type { DirectoryDescription } from '../../directory/directory.ts';
import { dataText } from '../../handle/data.ts';
import { locationHeader } from '../../handle/location-header.ts';
import type { HandleRecord } from '../../handle/record.ts';
import { type HandleValue, timestampOf } from '../../handle/value.ts';
import type { HttpResponse } from '../request/exchange.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import { HTML_TYPE, type RestFaceOptions, restResponse } from './rest-exchange.ts';

type Headers = HttpResponse['headers'];

/** A page shows at most this much, because people do not read more. The JSON API has all values. */
const MAX_ROWS = 1_000;
const MAX_ROW_CHARACTERS = 1_000_000;
const MAX_CELL_CHARACTERS = 20_000;

/**
 * A page with a table of values.
 * @param values the requested values of the record
 * @param publicUrl the beginning of links; empty: links are relative
 */
export function valuesPage(
  record: HandleRecord,
  values: readonly HandleValue[],
  headers: Headers,
  publicUrl: string,
): HttpResponse {
  if (values.length === 0) return page(200, record.handle, '<p>There are no values to show.</p>', headers);
  const rows = rowsOf(values);
  const hidden = values.length - rows.length;
  const api = escapeMarkup(`${publicUrl}/api/handles/${handlePath(record.handle)}`);
  const note =
    hidden === 0 ? '' : `\n<p>There are ${hidden} more. <a href="${api}">Show all values as JSON.</a></p>`;
  return page(200, record.handle, table(rows) + note, headers);
}

function rowsOf(values: readonly HandleValue[]): readonly string[] {
  const rows: string[] = [];
  let characters = 0;
  for (const value of values) {
    if (rows.length === MAX_ROWS || characters > MAX_ROW_CHARACTERS) break;
    const written = row(value);
    characters += written.length;
    rows.push(written);
  }
  return rows;
}

function table(rows: readonly string[]): string {
  return `<table>
<caption>The values of this handle</caption>
<thead><tr><th scope="col">Index</th><th scope="col">Type</th><th scope="col">Timestamp</th><th scope="col">Data</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function row(value: HandleValue): string {
  const cells = [shown(value.type), escapeMarkup(timestampOf(value) ?? '–'), data(value)];
  return `<tr><th scope="row">${value.index}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

/** The cell for the data of a value: a link for a URL that a redirect can use, JSON for objects, else text. */
function data(value: HandleValue): string {
  const text = value.data.kind === 'string' ? dataText(value.data) : null;
  if (text === null) return `<code>${shown(JSON.stringify(value.wire['data']))}</code>`;
  const target = locationHeader(text);
  return target === null
    ? shown(text)
    : `<a href="${escapeMarkup(target)}" rel="nofollow noreferrer">${escapeMarkup(text)}</a>`;
}

/** Escapes the text, and cuts long text. */
function shown(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return escapeMarkup(text);
  // The cut must not divide a surrogate pair.
  return `${escapeMarkup(text.slice(0, MAX_CELL_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ''))}…`;
}

const TITLE = 'DOI Name Not Found';
const HANDLE_TITLE = 'Handle Not Found';

/** The page for a name that the directory does not have. */
export function notFoundPage(
  { handle }: HandleRecord,
  headers: Headers,
  { publicUrl, directory }: Pick<RestFaceOptions, 'publicUrl' | 'directory'>,
): HttpResponse {
  const name = `<code>${escapeMarkup(handle)}</code>`;
  const parsed = parseDoi(handle);
  // Other handles are no DOI names, so a message about a wrong DOI name does not help.
  const isDoi = handle.startsWith('10.') || literalHandle(handle).name === null;
  const paragraphs = [
    notFoundSentence(name, directory.description),
    ...(isDoi ? remarksOn(parsed) : []),
    ...suggestedNames(handle, parsed).map((meant) => `Did you mean ${nameLink(meant, publicUrl)}?`),
    `<a href="${escapeMarkup(`${publicUrl}/?doi=${encodeURIComponent(handle)}`)}">Inspect this name</a>: its parts, its characters, and names like it.`,
  ];
  return page(
    404,
    isDoi ? TITLE : HANDLE_TITLE,
    paragraphs.map((words) => `<p>${words}</p>`).join('\n'),
    headers,
  );
}

/** Problems that the gateway finds without a look-up. Skips messages that mention GraphQL fields or arguments. */
function remarksOn({ name, problem }: ParsedDoi): readonly string[] {
  const messages = problem ? [problem.message] : nameWarnings(name, lookalikes).map(({ message }) => message);
  return messages.filter((message) => !/`|\b(?:input|form): /.test(message)).map(escapeMarkup);
}

const MAX_SUGGESTIONS = 3;

/**
 * Names that the reader probably meant: names inside a text, the name without text that was copied together with the
 * name, and the name without its final slash.
 */
function suggestedNames(handle: HandleName, parsed: ParsedDoi): readonly HandleName[] {
  const { name } = parsed;
  const read = name === null ? meantBy(parsed, MAX_SUGGESTIONS).map((match) => match.name) : [name];
  const repaired = read.flatMap((candidate) =>
    nameWarnings(candidate, lookalikes).flatMap((warning) => warning.repaired ?? []),
  );
  const shorter = handle.endsWith('/') ? toHandleName(handle.slice(0, -1)) : null;
  const names = new Set<HandleName>([...repaired, ...read]);
  if (names.size < 2 && shorter?.includes('/')) names.add(shorter);
  names.delete(handle);
  return [...names].slice(0, MAX_SUGGESTIONS);
}

function nameLink(name: HandleName, publicUrl: string): string {
  return `<a href="${escapeMarkup(publicUrl + faceLink(name))}"><code>${escapeMarkup(name)}</code></a>`;
}

/** @param name as escaped markup */
function notFoundSentence(name: string, { kind, records }: DirectoryDescription): string {
  return kind === 'EMBEDDED'
    ? `There is no ${name} among the ${records ?? 'few'} records that this gateway holds. It may be registered in the live DOI system. To look it up there, start the gateway with DOI_DIRECTORY_URL=https://doi.org.`
    : `There is no ${name} in the DOI directory. It may be mistyped, or not registered yet.`;
}

/** The page for an alias loop, and for an alias whose target does not exist. */
export function deadAliasPage(name: HandleName, headers: Headers): HttpResponse {
  const body = `<p><code>${escapeMarkup(name)}</code> is an alias, but it leads to no DOI name that can be found. <a href="?noredirect&amp;ignore_aliases">Show the alias itself.</a></p>`;
  return page(404, TITLE, body, headers);
}

/**
 * The path of a name at this gateway. The path never begins with `//`: a browser would read what follows as a host.
 */
export function faceLink(name: HandleName): string {
  return `/${handlePath(name).replace(/^\//, '%2F')}`;
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding-bottom: .5rem; }
th, td { border-top: 1px solid #8886; padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top; }
td:last-child { overflow-wrap: anywhere; white-space: pre-wrap; }
code { overflow-wrap: anywhere; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

const POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** @param body markup, in which the caller has escaped all text */
export function page(status: number, title: string, body: string, headers: Headers): HttpResponse {
  const escaped = escapeMarkup(title);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped}</h1>
${body}
</main>
</body>
</html>
`;
  return restResponse(status, HTML_TYPE, { ...headers, 'Referrer-Policy': 'no-referrer' }, html, POLICY);
}

export function plain(status: number, text: string, headers: Headers = {}): HttpResponse {
  const all = { ...failureHeaders(status), ...headers };
  return restResponse(status, 'text/plain; charset=utf-8', all, `${text}\n`);
}
