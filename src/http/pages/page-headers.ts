/**
 * What a page may load and send: strings of strangers are shown on it, so nothing comes from elsewhere, nothing is
 * inline, and nobody may frame it.
 * @param formAction where its forms may be sent to
 */
export function ownPolicy(formAction: "'self'" | "'none'"): readonly string[] {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ];
}

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
