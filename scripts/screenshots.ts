// Takes the pictures of the documentation: `npm run screenshots` writes them to docs/.

import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';
import { startGateway } from '../test/support/gateway.ts';

const picture = (name: string) => fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url));

const gateway = await startGateway();
const browser = await launchChromium();
try {
  await takeInspector();
  await takeNarrowInspector();
  await takeGraphiql();
  await takeNotFound();
} finally {
  await browser.close();
  await gateway.close();
}

function openPage(width: number, height: number, options: BrowserContextOptions = {}): Promise<Page> {
  const viewport = { width, height };
  return browser.newPage({ viewport, colorScheme: 'light', reducedMotion: 'reduce', ...options });
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: picture(name), animations: 'disabled', caret: 'hide' });
  console.log(picture(name));
}

/** A found DOI: its parts, its forms, and where it leads. */
async function takeInspector(): Promise<void> {
  const page = await openPage(1280, 1240);
  await page.goto(`${gateway.url}/?doi=https://doi.org/10.1021/jacs.5c01100`);
  await page.locator('#record .values').waitFor();
  await take(page, 'inspector');
}

/** The same page in the dark on a telephone, with a name that has more than ASCII in it. */
async function takeNarrowInspector(): Promise<void> {
  const page = await openPage(390, 844, { colorScheme: 'dark', deviceScaleFactor: 2 });
  await page.goto(`${gateway.url}/?doi=10.123/456`);
  await page.locator('#locations').scrollIntoViewIfNeeded();
  await page.locator('#record .values').waitFor();
  await page.evaluate("document.querySelector('#redirect').scrollIntoView(); scrollBy(0, -70)");
  await take(page, 'inspector-dark-narrow');
}

async function takeGraphiql(): Promise<void> {
  const page = await openPage(1400, 900);
  await page.goto(`${gateway.url}/graphql`);
  // Coloured by the schema-aware worker: the editor is ready.
  await page.locator('.graphiql-query-editor .view-lines').getByText('utf8Hex').waitFor();
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.graphiql-response .view-lines').getByText('utf8Hex').waitFor();
  // Away from the button, whose tooltip would cover the query.
  await page.mouse.move(1050, 750);
  await page.locator('.graphiql-spinner').waitFor({ state: 'detached' });
  await page.locator('[data-radix-popper-content-wrapper]').waitFor({ state: 'detached' });
  await take(page, 'graphiql');
}

/** The page of a name that has a slash too many. */
async function takeNotFound(): Promise<void> {
  const page = await openPage(1000, 200);
  await page.goto(`${gateway.url}/10.1000/demo_DOI/`);
  await page.getByRole('link', { name: '10.1000/demo_DOI' }).waitFor();
  await take(page, 'not-found');
}
