// One Chromium for all suites of a run: each start of a browser costs a second of processor time.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** the address of the browser, for Playwright */
    readonly chromium: string;
  }
}

export const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** In CI, a missing Chromium makes the start fail. */
export const isChromiumThere = (): boolean => existsSync(executablePath) || Boolean(process.env['CI']);

export default async function startChromium(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  if (!isChromiumThere()) return undefined;
  const server = await chromium.launchServer({
    executablePath,
    headless: true,
    host: '127.0.0.1',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // What slips past the page's own record ends here.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}
