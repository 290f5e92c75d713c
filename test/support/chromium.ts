import { type Browser, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { executablePath, isChromiumThere } from './chromium-server.ts';

/**
 * Whether to leave out a suite that needs Chromium: `describe.skipIf(withoutChromium('GraphiQL'))`.
 * Says so in one line. In CI nothing is left out: there the launch fails.
 */
export function withoutChromium(suite: string): boolean {
  if (isChromiumThere()) return false;
  process.stderr.write(`skipped: ${suite}: no Chromium at ${executablePath} (set CHROMIUM_PATH)\n`);
  return true;
}

/** A connection to the browser of all suites. Closing it closes the pages of this suite. */
export function launchChromium(): Promise<Browser> {
  return chromium.connect(inject('chromium'));
}

export interface Watch {
  /** Every request to anything but this machine; all were refused. */
  readonly outsideRequests: string[];
  /** Console errors and warnings, uncaught exceptions, violations of the Content-Security-Policy. */
  readonly complaints: string[];
  /** The scripts of the workers that were started. */
  readonly workers: string[];
}

/** Keeps a page from the outside world and writes down what it tried and what it complained of. */
export async function watch(page: Page): Promise<Watch> {
  const seen: Watch = { outsideRequests: [], complaints: [], workers: [] };
  await page.context().route(
    ({ protocol, hostname }) => !['127.0.0.1', 'localhost'].includes(hostname) && protocol !== 'data:',
    (route) => {
      seen.outsideRequests.push(route.request().url());
      return route.abort();
    },
  );
  await page.exposeFunction('reportViolation', (text: string) => seen.complaints.push(`CSP: ${text}`));
  await page.addInitScript(`
    document.addEventListener('securitypolicyviolation', (event) =>
      reportViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample));
  `);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) seen.complaints.push(message.text());
  });
  page.on('pageerror', (error) => seen.complaints.push(String(error)));
  page.on('worker', (worker) => seen.workers.push(worker.url()));
  return seen;
}
