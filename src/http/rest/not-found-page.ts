// The page for a name that the directory does not have.

import type { Directory, DirectoryDescription } from '../../directory/directory.ts';
import { handlePath } from '../../doi/encoding-forms.ts';
import { escapeMarkup } from '../../doi/markup.ts';
import { type HandleName, toHandleName } from '../../doi/name.ts';
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
  const body = `<p>${whatWasLookedAt(name, directory.description)}</p>`;
  return page(404, TITLE, body + trailingSlashHint(handle, publicUrl), headers);
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

/** A trailing slash is part of a name, but most names that have one were copied wrongly. */
function trailingSlashHint(name: HandleName, publicUrl: string): string {
  const without = name.endsWith('/') ? toHandleName(name.slice(0, -1)) : null;
  if (!without?.includes('/')) return '';
  const link = `<a href="${escapeMarkup(publicUrl + faceLink(without))}"><code>${escapeMarkup(without)}</code></a>`;
  return `\n<p>The name ends with a slash. Did you mean ${link}?</p>`;
}

/**
 * Where a handle name is on this face, relative to its origin. Never two slashes at the beginning: a
 * browser would read another host there.
 */
export function faceLink(name: HandleName): string {
  return `/${handlePath(name).replace(/^\//, '%2F')}`;
}
