// The page for a name that the directory does not have.

import { handlePath } from '../../doi/encode.ts';
import { escapeMarkup } from '../../doi/markup.ts';
import { type HandleName, toHandleName } from '../../doi/name.ts';
import type { HandleRecord } from '../../handle/record.ts';
import type { RestResponse } from './exchange.ts';
import { page } from './page.ts';

const TITLE = 'DOI Name Not Found';

/** @param publicUrl where links begin; empty for relative ones */
export function notFoundPage(
  { handle }: HandleRecord,
  headers: Readonly<Record<string, string>>,
  publicUrl: string,
): RestResponse {
  const body = `<p>There is no <code>${escapeMarkup(handle)}</code> in the DOI directory. It may be mistyped, or not registered yet.</p>`;
  return page(404, TITLE, body + trailingSlashHint(handle, publicUrl), headers);
}

/** A chain of aliases that ends nowhere, or never. */
export function deadAliasPage(
  name: HandleName,
  headers: Readonly<Record<string, string>> = {},
): RestResponse {
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
