// The inspector parses the text while a user types. The response of the gateway does not change this part.

import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectQuiet, patience, useChromium, withoutChromium } from '../../support/chromium.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';

describe.skipIf(withoutChromium('the inspector at once'))('the inspector before a response', () => {
  const open = useChromium();
  let gateway: ListeningGateway;

  beforeAll(async () => {
    gateway = await startGateway({});
    return () => gateway.close();
  });

  /** Opens the page with its parser, and holds its requests. */
  async function visit() {
    const { page, seen } = await open('about:blank', {});
    const held: Route[] = [];
    await page.route('**/graphql', (route) => void held.push(route));
    // The parser and the splitter of lists share this file, which loads last.
    const isLoaded = page.waitForResponse(/\/chunk-/);
    await page.goto(gateway.url);
    await isLoaded;
    const release = async () => {
      await page.unroute('**/graphql');
      for (const route of held) await route.continue().catch(() => {});
    };
    const type = (text: string) => page.getByLabel('DOI, link').pressSequentially(text);
    return { page, seen, held, release, type };
  }

  const plate = (page: Page) => page.locator('#verdict > .plate');
  const words = (page: Page) => plate(page).locator('h2, h3, .anatomy, .warnings, .facts').allInnerTexts();

  it('shows the name, its form and its warnings, and the response does not move this part', async () => {
    const { page, seen, held, release, type } = await visit();
    await type('doi:10.1000/182.');
    await plate(page).getByText('Read as a DOI Name URI').waitFor();
    await plate(page).getByText('The name ends in punctuation').waitFor();
    await plate(page).getByRole('link', { name: '10.1000/182' }).waitFor();
    await expect.poll(() => held.length, patience).toBeGreaterThan(0);
    const [before, top] = [await words(page), await topOfWarnings(page)];
    expect(await page.locator('#said').innerText()).toBe('');
    await release();
    await page.locator('#directory h2').first().waitFor();
    expect(await words(page)).toEqual(before);
    expect(await topOfWarnings(page)).toBe(top);
    expectQuiet(seen);
  });

  it('explains an invalid input at once, and announces it with the response', async () => {
    const { page, seen, release, type } = await visit();
    await type('doi:10.1000/%zz');
    await plate(page).getByText('"%zz" is not a percent sign and two hexadecimal digits').waitFor();
    await plate(page).getByText('character 13, U+0025').waitFor();
    expect(await page.getByLabel('DOI, link').getAttribute('aria-invalid')).toBe('true');
    const before = await plate(page).innerText();
    expect(await page.locator('#said').innerText()).toBe('');
    await release();
    await expect.poll(() => page.locator('#said').innerText(), patience).toContain('This is no DOI name.');
    expect(await plate(page).innerText()).toBe(before);
    expectQuiet(seen);
  });

  it('suggests the name in a sentence', async () => {
    const { page, release, type } = await visit();
    await type('See 10.1000/182');
    await plate(page).getByText('Did you mean 10.1000/182?').waitFor();
    await release();
  });

  it('shows no look-alikes, which only the gateway knows', async () => {
    const { page, held, release, type } = await visit();
    await type('10.1000/d\u0435mo_DOI');
    await expect.poll(() => held.length, patience).toBeGreaterThan(0);
    expect(await plate(page).getByText('CYRILLIC').count()).toBe(0);
    await release();
    await plate(page).getByText('looks like', { exact: false }).first().waitFor();
  });

  it('works without its parser', async () => {
    const { page, seen } = await open('about:blank', {});
    await page.route('**/read-at-once-*.js', (route) => route.abort());
    await page.goto(gateway.url);
    await page.getByLabel('DOI, link').pressSequentially('10.1000/182');
    await plate(page).getByText('Read as a bare DOI name').waitFor();
    expectQuiet(seen, /ERR_FAILED/);
  });

  const topOfWarnings = (page: Page) =>
    page.locator('.warnings').evaluate((element) => element.getBoundingClientRect().top + scrollY);
});
