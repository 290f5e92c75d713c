// The User-Agent of requests to the directory and to agencies.

import { VERSION } from './version.ts';

export function userAgent(contact: string | null): string {
  return contact === null ? `doi-gateway/${VERSION}` : `doi-gateway/${VERSION} (mailto:${contact})`;
}
