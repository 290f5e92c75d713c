/** How long an answer may be kept: what is left of the life of the records that it rests on. */
export function cacheHeaders(freshUntil: number, now: number): Record<string, string> {
  const seconds = Math.floor((freshUntil - now) / 1000);
  if (seconds <= 0) return { 'Cache-Control': 'no-cache', Expires: new Date(now).toUTCString() };
  return { 'Cache-Control': `public, max-age=${seconds}`, Expires: new Date(freshUntil).toUTCString() };
}
