// The version of the gateway, as in package.json.

import { createRequire } from 'node:module';

export const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as {
  readonly version: string;
};

/** The User-Agent of requests to the directory and to agencies. */
export function userAgent(contact: string | null): string {
  return contact === null ? `doi-gateway/${VERSION}` : `doi-gateway/${VERSION} (mailto:${contact})`;
}
