// The headers of HTML pages, and the logo that all pages share.

/** A gate with a keyhole, for the icon and the title of pages. */
export const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f3a5f"/>' +
  '<path d="M9 25V15a7 7 0 0 1 14 0v10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>' +
  '<circle cx="16" cy="20" r="2.6" fill="#f5b82e"/></svg>';

/**
 * The Content-Security-Policy of a page. Pages show text of records, and records can contain anything. So a page loads
 * nothing from other origins and runs no inline scripts, and other pages cannot embed it.
 * @param formAction the targets of forms
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

/** The headers of a page. Browsers keep the page, but check at each visit whether the page is fresh. */
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
