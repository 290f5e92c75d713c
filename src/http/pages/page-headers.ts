/** The logo of the gateway, a gate with a keyhole. It is the icon of the pages, and is beside their titles. */
export const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f3a5f"/>' +
  '<path d="M9 25V15a7 7 0 0 1 14 0v10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>' +
  '<circle cx="16" cy="20" r="2.6" fill="#f5b82e"/></svg>';

/**
 * The Content-Security-Policy of a page. A page shows text from records, which anyone may have written. So it loads
 * nothing from other origins, allows no inline scripts, and no other page may frame it.
 * @param formAction where forms may be sent to
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

/** The headers of an HTML page. Browsers request the page again each time. */
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
