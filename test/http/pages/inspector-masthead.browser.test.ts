// The masthead of the inspector is large before the first input. Then it is one line with the field.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useChromium, withoutChromium } from '../../support/chromium.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { field } from './inspector-page.ts';

describe.skipIf(withoutChromium('the masthead of the inspector'))('the masthead', () => {
  const open = useChromium();
  let gateway: ListeningGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    return async () => {
      await gateway.close();
    };
  });

  async function visit(path: string, profile?: BrowserContextOptions): Promise<Page> {
    const { page } = await open(gateway.url + path, profile);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    return page;
  }

  const focused = (page: Page) => page.evaluate('document.activeElement.id');
  const isLarge = (page: Page) => page.getByText('Paste a DOI in any form').isVisible();

  it.each([
    [1280, 720],
    [360, 800],
    [320, 800],
  ])('leaves the result visible at %i × %i', async (width, height) => {
    const page = await visit('/?doi=10.1021/jacs.5c01100', { viewport: { width, height } });
    const result = page.locator('.glance');
    await result.getByText('Crossref').waitFor();
    const { y = 0, height: high = 0 } = (await result.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + high).toBeLessThan(height);
    const masthead = await page.locator('.masthead').boundingBox();
    expect(masthead?.height).toBeLessThan(height / 5);
    // Screen readers keep the heading and the label of the field.
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await field(page).count()).toBe(1);
  });

  it('has the focus in its field at the start and after each input', async () => {
    const page = await visit('/');
    expect([await focused(page), await isLarge(page)]).toEqual(['doi', true]);
    expect(await field(page).getAttribute('placeholder')).toBe('10.1021/jacs.5c01100');

    await page.getByRole('link', { name: 'an article' }).click();
    await page.locator('#record').waitFor();
    expect([await focused(page), await isLarge(page)]).toEqual(['doi', false]);

    await page.getByRole('button', { name: 'Inspect' }).click();
    expect(await focused(page)).toBe('doi');
  });

  it('stays small while a user types, and is large again on the first page', async () => {
    const page = await visit('/?doi=10.1000/182');
    await page.locator('#record').waitFor();
    await field(page).fill('');
    await page.getByRole('heading', { name: 'What the directory knows' }).waitFor();
    expect(await isLarge(page)).toBe(false);
    await page.getByRole('link', { name: 'DOI gateway' }).click();
    expect(await isLarge(page)).toBe(true);
    await page.goBack();
    await page.locator('#record').waitFor();
    expect(await isLarge(page)).toBe(false);
  });

  it('hides the keyboard of a touch screen after a submit', async () => {
    const page = await visit('/', { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
    await field(page).fill('10.1000/182');
    expect(await focused(page)).toBe('doi');
    await page.keyboard.press('Enter');
    await page.locator('#record').waitFor();
    expect(await focused(page)).toBe('');
  });
});
