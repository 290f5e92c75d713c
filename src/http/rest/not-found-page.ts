// The page for a name that the directory does not have.

import type { Directory, DirectoryDescription } from '../../directory/directory.ts';
import { handlePath } from '../../doi/encoding-forms.ts';
import { meantBy } from '../../doi/find/meant.ts';
import { escapeMarkup } from '../../doi/markup.ts';
import { type HandleName, toHandleName } from '../../doi/name.ts';
import { type ParsedDoi, parseDoi } from '../../doi/parse.ts';
import { doiWarnings } from '../../doi/warnings.ts';
import type { HandleRecord } from '../../handle/record.ts';
import type { Answer } from '../exchange.ts';
import { page } from './page.ts';
import type { RestHeaders } from './rest-answer.ts';

const TITLE = 'DOI Name Not Found';

/** @param options.publicUrl where links begin; empty for relative ones */
export function notFoundPage(
  { handle }: HandleRecord,
  headers: RestHeaders,
  { publicUrl, directory }: { publicUrl: string; directory: Pick<Directory, 'description'> },
): Answer {
  const name = `<code>${escapeMarkup(handle)}</code>`;
  const parsed = parseDoi(handle);
  const paragraphs = [
    whatWasLookedAt(name, directory.description),
    ...remarksOn(parsed),
    ...meantNames(handle, parsed).map((meant) => `Did you mean ${nameLink(meant, publicUrl)}?`),
    `<a href="${escapeMarkup(`${publicUrl}/?doi=${encodeURIComponent(handle)}`)}">Inspect this name</a>: its parts, its characters, and names like it.`,
  ];
  return page(404, TITLE, paragraphs.map((words) => `<p>${words}</p>`).join('\n'), headers);
}

/** What is known without the directory. Messages that name fields and arguments are for programs. */
function remarksOn({ name, problem }: ParsedDoi): readonly string[] {
  const messages = problem ? [problem.message] : doiWarnings(name).map(({ message }) => message);
  return messages.filter((message) => !/`|\b(?:input|form): /.test(message)).map(escapeMarkup);
}

/** Names for a reader to choose from: the gateway applies none of them itself. */
const MOST_MEANT = 3;

/** What was probably meant: names in the text, the name without what was copied along, or without a slash at its end. */
function meantNames(handle: HandleName, parsed: ParsedDoi): readonly HandleName[] {
  const { name } = parsed;
  const read = name === null ? meantBy(parsed, MOST_MEANT).map((match) => match.name) : [name];
  const repaired = read.flatMap((one) => doiWarnings(one).flatMap((warning) => warning.repaired ?? []));
  const shorter = handle.endsWith('/') ? toHandleName(handle.slice(0, -1)) : null;
  const names = new Set<HandleName>([...repaired, ...read]);
  if (names.size < 2 && shorter?.includes('/')) names.add(shorter);
  names.delete(handle);
  return [...names].slice(0, MOST_MEANT);
}

function nameLink(name: HandleName, publicUrl: string): string {
  return `<a href="${escapeMarkup(publicUrl + faceLink(name))}"><code>${escapeMarkup(name)}</code></a>`;
}

/** @param name markup */
function whatWasLookedAt(name: string, { kind, records }: DirectoryDescription): string {
  return kind === 'EMBEDDED'
    ? `There is no ${name} among the ${records ?? 'few'} records that this gateway holds. Nothing else was looked at: in the live DOI system it may be registered. To ask that, start the gateway with DOI_DIRECTORY_URL=https://doi.org.`
    : `There is no ${name} in the DOI directory. It may be mistyped, or not registered yet.`;
}

/** A chain of aliases that ends nowhere, or never. */
export function deadAliasPage(name: HandleName, headers: RestHeaders): Answer {
  const body = `<p><code>${escapeMarkup(name)}</code> is an alias, but it leads to no DOI name that can be found. <a href="?noredirect&amp;ignore_aliases">Show the alias itself.</a></p>`;
  return page(404, TITLE, body, headers);
}

/**
 * Where a handle name is on this face, relative to its origin. Never two slashes at the beginning: a
 * browser would read another host there.
 */
export function faceLink(name: HandleName): string {
  return `/${handlePath(name).replace(/^\//, '%2F')}`;
}
