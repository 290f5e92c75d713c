/** Of an HTML page of the gateway's own: asked for anew each time. */
export function pageHeaders(
  contentSecurityPolicy: readonly string[],
  vary: string,
): Readonly<Record<string, string>> {
  return Object.freeze({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy.join('; '),
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
    Vary: vary,
  });
}
