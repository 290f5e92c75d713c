// One Chromium for all suites of a run: each start of a browser costs a second of processor time.

import { existsSync } from 'node:fs';
import { chromium, type LaunchOptions } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** the address of the browser, for Playwright */
    readonly chromium: string;
  }
}

// The shell has the same engine without windows, and takes a third less processor time.
const SHELL = '/usr/bin/chromium-headless-shell';

export const executablePath =
  process.env['CHROMIUM_PATH'] ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');

export const launchOptions: LaunchOptions = {
  executablePath,
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // A page reaches no other host.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  ],
};

/** In CI, a missing Chromium makes the start fail. */
export const isChromiumThere = (): boolean => existsSync(executablePath) || Boolean(process.env['CI']);

export default async function startChromium(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  if (!isChromiumThere()) return undefined;
  const server = await chromium.launchServer({ ...launchOptions, host: '127.0.0.1' });
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}
