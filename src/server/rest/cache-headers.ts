import type { HandleRecord } from '../../handle/record.ts';

/** How long an answer that rests on a record may be kept: what is left of the record's own life. */
export function cacheHeaders({ freshUntil }: HandleRecord, now: number): Record<string, string> {
  const seconds = Math.floor((freshUntil - now) / 1000);
  if (seconds <= 0) return { 'Cache-Control': 'no-cache', Expires: new Date(now).toUTCString() };
  return { 'Cache-Control': `public, max-age=${seconds}`, Expires: new Date(freshUntil).toUTCString() };
}
