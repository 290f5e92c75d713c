/** Of an HTML page of the gateway's own. Made anew for each answer: Response writes into what it is given. */
export function pageHeaders(contentSecurityPolicy: readonly string[], vary: string): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy.join('; '),
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Vary: vary,
  };
}
