import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { beforeAll, expect, inject, onTestFinished } from 'vitest';
import { executablePath, isChromiumThere } from './chromium-server.ts';

/** Below the time limit of a test, so that a failure names what the test waited for. */
export const patience = { timeout: 30_000 };

const VIEWPORT = { width: 1280, height: 720 };

/** Chromium paints every frame of an animation, which costs processor time. */
const MOTION = 'reduce';

/**
 * Whether to skip a suite that needs Chromium: `describe.skipIf(withoutChromium('GraphiQL'))`.
 * Writes one line about it. In CI nothing is skipped: there the launch fails.
 */
export function withoutChromium(suite: string): boolean {
  if (isChromiumThere()) return false;
  process.stderr.write(`skipped: ${suite}: no Chromium at ${executablePath} (set CHROMIUM_PATH)\n`);
  return true;
}

/** A page, and its actions since the last visit began. */
export interface Visit {
  readonly page: Page;
  readonly seen: Watch;
}

/** Goes to an address. A profile, even an empty one, has storage, history and a clock that no other test sees. */
export type Visitor = (url: string, profile?: BrowserContextOptions) => Promise<Visit>;

/**
 * Connects a suite to the browser of all suites. Visits without a profile share one tab, which keeps the compiled
 * scripts: a new tab needs several times as long to load a page.
 */
export function useChromium(): Visitor {
  let browser: Browser;
  let shared: Visit | undefined;
  beforeAll(async () => {
    browser = await chromium.connect(inject('chromium'));
    return () => browser.close();
  });

  async function open(profile: BrowserContextOptions): Promise<Visit> {
    const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: MOTION, ...profile });
    page.setDefaultTimeout(patience.timeout);
    return { page, seen: await watch(page) };
  }

  /** The shared tab, without the page and the changes of the last test. */
  async function takeShared(): Promise<Visit> {
    shared ??= await open({});
    const { page, seen } = shared;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank');
    await page.setViewportSize(VIEWPORT);
    await page.emulateMedia({ colorScheme: null, reducedMotion: MOTION, forcedColors: null });
    for (const list of Object.values(seen)) list.length = 0;
    return shared;
  }

  async function openOnce(profile: BrowserContextOptions): Promise<Visit> {
    const visit = await open(profile);
    onTestFinished(() => visit.page.close());
    return visit;
  }

  return async (url, profile) => {
    const visit = await (profile ? openOnce(profile) : takeShared());
    await visit.page.goto(url);
    return visit;
  };
}

/**
 * Keeps the texts that the page copies. Returns a function that reads the last text. The real clipboard is not used,
 * because all tabs of a browser share it, and the tests of another file could write to it.
 */
export async function keepCopies(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: async (text) => { window.copiedText = text; } },
  })`);
  return () => page.evaluate('window.copiedText');
}

/** Fails if the page complained, except in words that match the pattern, or sent a request to another host. */
export function expectQuiet(seen: Watch, expected?: RegExp): void {
  expect(seen.complaints.filter((text) => !expected?.test(text))).toEqual([]);
  expect(seen.outsideRequests).toEqual([]);
}

export interface Watch {
  readonly requests: Request[];
  /** Every request to anything but this machine; all fail, because the browser resolves no other host. */
  readonly outsideRequests: string[];
  /** Console errors and warnings, uncaught exceptions, violations of the Content-Security-Policy. */
  readonly complaints: string[];
  /** The scripts of the workers that were started. */
  readonly workers: string[];
}

/** Keeps the requests, complaints and workers of a page. */
async function watch(page: Page): Promise<Watch> {
  const seen: Watch = { requests: [], outsideRequests: [], complaints: [], workers: [] };
  // A route would hold up every request, and turn off the cache.
  page.context().on('request', (request) => {
    seen.requests.push(request);
    const { protocol, hostname } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && !['127.0.0.1', 'localhost'].includes(hostname))
      seen.outsideRequests.push(request.url());
  });
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
