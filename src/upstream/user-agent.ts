// The User-Agent of requests to the directory and to agencies.

/** @param contact the mail address of the operator; null: unknown */
export function userAgent(version: string, contact: string | null): string {
  return contact === null ? `doi-gateway/${version}` : `doi-gateway/${version} (mailto:${contact})`;
}
