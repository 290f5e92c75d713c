// The inspector is accessible in light and dark looks, and on wide and narrow screens.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '../../support/accessibility.ts';
import { useChromium, withoutChromium } from '../../support/chromium.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';

/** Each state with its address, and with an element that appears when the page is ready. */
const states: readonly (readonly [string, string, string])[] = [
  ['empty', '/', '#welcome'],
  ['a found DOI', '/?doi=10.123/456&with=10.123/456/', '#record .values'],
  ['a DOI with a title', '/?doi=10.1371/journal.pone.0000030', '.work-title'],
  ['an alias', '/?doi=10.5555/aliasurl&with=10.1000/1', '.chain'],
  ['a DOI with accents and an agency', '/?doi=10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03', '#record'],
  ['a structured record', '/?doi=10.5555/site', '#record details'],
  ['a DOI that is not found', '/?doi=10.1000/182/', '.suggestions'],
  ['a link with a query', '/?doi=https://doi.org/10.5555/loc?locatt=id:0%26noredirect', '.link-notes .note'],
  ['an alias loop', '/?doi=10.5555/loop1', '.chain .dead'],
  ['a text with a DOI in it', '/?doi=See%20https://doi.org/10.1000/182).', '.offer'],
  [
    'a list',
    `/?doi=${encodeURIComponent('doi:10.1000/1\n10.1000/none\n10.1000/d\u0435mo_DOI')}`,
    '.found-list',
  ],
  ['a text without a DOI', '/?doi=Nothing%0Ahere', '.problem'],
  ['look-alikes', '/?doi=10.1000/d%D0%B5mo_DOI&with=10.1000/demo_DOI', '.differences'],
  ['a second DOI alone', '/?with=10.1000/1', '#compare-result .missing'],
  ['a bad DOI', '/?doi=10.10OO/182&with=10.1000/1', '.problem'],
  ['a shortDOI', '/?doi=10/p54k', '.offer'],
];

// If a line could not break, these names would be wider than the widest screen.
const LONG = `/?doi=10.1000/${'a'.repeat(250)}&with=10.1000/${'b'.repeat(250)}`;

const WIDTHS = [320, 375, 600, 768, 1100, 1920];

describe.skipIf(withoutChromium('access to the inspector'))('the inspector is accessible', () => {
  const visit = useChromium();
  let gateway: ListeningGateway;

  beforeAll(async () => {
    gateway = await startGateway({ random: () => 0 });
    return () => gateway.close();
  });

  async function open(path: string, ready: string): Promise<Page> {
    const { page } = await visit(gateway.url + path);
    await page.locator(ready).first().waitFor();
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
    return page;
  }

  async function widthsOf(page: Page): Promise<unknown[]> {
    const widths: unknown[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      widths.push(await page.evaluate('document.documentElement.scrollWidth'));
    }
    return widths;
  }

  describe('in every state', () => {
    let page: Page;

    beforeAll(async () => {
      page = await open('/', '#welcome');
    });

    /** Goes to an address without a new page, as "Back" does, because a new page would load axe-core again. */
    async function go(path: string, ready: string): Promise<void> {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
      await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))");
      await page.locator(ready).first().waitFor();
      await page.locator('.waiting').first().waitFor({ state: 'detached' });
    }

    it.each(states)(
      '%s: axe-core reports nothing, and the page fits every screen',
      async (_, path, ready) => {
        // The empty page removes the previous state.
        await go('/', '#welcome');
        await go(path, ready);
        expect(await violationsInEveryLook(page)).toEqual([]);
        expect(await widthsOf(page)).toEqual(WIDTHS);
      },
    );
  });

  it('a long name fits every screen', async () => {
    const page = await open(LONG, '#record');
    expect(await widthsOf(page)).toEqual(WIDTHS);
  });

  it('axe-core reports a field without a name, and faint text in the dark or the narrow look', async () => {
    const page = await open('/', '#welcome');
    await page.evaluate("document.querySelector('.lede').append(document.createElement('input'))");
    await page.evaluate("document.querySelector('#welcome h2').style.color = '#333'");
    await page.evaluate(`{
      const narrow = new CSSStyleSheet();
      narrow.replaceSync(
        '@media (max-width: 30rem) and (prefers-color-scheme: light) { #welcome div:nth-child(2) > h2 { color: #ddd } }',
      );
      document.adoptedStyleSheets.push(narrow);
    }`);
    expect(await violationsInEveryLook(page)).toEqual([
      'light: label (critical): .lede > input',
      'dark and narrow: color-contrast (serious): div:nth-child(1) > h2',
      'dark and narrow: label (critical): .lede > input',
      'narrow: color-contrast (serious): div:nth-child(2) > h2',
    ]);
  });

  it.each([
    ['reduce', 0],
    ['no-preference', 1],
  ] as const)(
    'the page has animations unless the user prefers reduced motion: %s',
    async (reducedMotion, animations) => {
      const page = await open('/?doi=10.1000/1', '#record');
      await page.emulateMedia({ reducedMotion });
      await page.evaluate("document.querySelector('.glance dd').firstElementChild.className = 'waiting'");
      expect(await page.evaluate('document.getAnimations().length')).toBe(animations);
    },
  );
});
