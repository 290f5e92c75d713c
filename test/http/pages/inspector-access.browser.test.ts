// Whether everybody can use the inspector: axe-core in light, dark and narrow, and nothing wider than the screen.

import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, withoutChromium } from '../../support/chromium.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';

const PLAIN: BrowserContextOptions = { viewport: { width: 1280, height: 720 } };

const looks: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 900 } }],
  ['narrow', { colorScheme: 'light', viewport: { width: 320, height: 640 } }],
  ['dark and narrow', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
];

/** An address, and what is there when it is ready. */
const states: readonly (readonly [string, string, string])[] = [
  ['empty', '/', '#welcome'],
  ['a found DOI', '/?doi=10.123/456&with=10.123/456/', '#record .values'],
  ['a DOI with a title', '/?doi=10.1371/journal.pone.0000030', '.work-title'],
  ['an alias', '/?doi=10.5555/aliasurl&with=10.1000/1', '.chain'],
  ['a DOI with accents and an agency', '/?doi=10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03', '#record'],
  ['a structured record', '/?doi=10.5555/site', '#record details'],
  ['a DOI that is not found', '/?doi=10.1000/182/', '.suggestions'],
  [
    'a link with questions',
    '/?doi=https://doi.org/10.5555/loc?locatt=id:0%26noredirect',
    '.link-notes .note',
  ],
  ['an alias loop', '/?doi=10.5555/loop1', '.chain .dead'],
  ['a text with a DOI in it', '/?doi=See%20https://doi.org/10.1000/182).', '.offer'],
  [
    'a list',
    `/?doi=${encodeURIComponent('doi:10.1000/1\n10.1000/none\n10.1000/d\u0435mo_DOI')}`,
    '.found-list',
  ],
  ['a text without one', '/?doi=Nothing%0Ahere', '.problem'],
  ['look-alikes', '/?doi=10.1000/d%D0%B5mo_DOI&with=10.1000/demo_DOI', '.differences'],
  ['a second DOI alone', '/?with=10.1000/1', '#compare-result .missing'],
  ['a bad DOI', '/?doi=10.10OO/182&with=10.1000/1', '.problem'],
  ['a shortDOI', '/?doi=10/p54k', '.offer'],
];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

describe.skipIf(withoutChromium('access to the inspector'))('everybody can use the inspector', () => {
  let gateway: ListeningGateway;
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
    gateway = await startGateway({ random: () => 0 });
    return async () => {
      await browser.close();
      await gateway.close();
    };
  });

  const pages = new Map<BrowserContextOptions, Page>();

  /** One page for each look, which goes from address to address: a new one takes several times as long. */
  async function open(path: string, ready: string, options: BrowserContextOptions): Promise<Page> {
    const page = pages.get(options) ?? (await browser.newPage(options));
    pages.set(options, page);
    if (options.viewport) await page.setViewportSize(options.viewport);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(gateway.url + path);
    await page.locator(ready).first().waitFor({ timeout: 15_000 });
    await page.locator('.waiting').first().waitFor({ state: 'detached', timeout: 15_000 });
    return page;
  }

  async function violationsOf(page: Page): Promise<readonly Violation[]> {
    await page.evaluate(axe.source);
    return page.evaluate("axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)");
  }

  for (const [look, options] of looks) {
    it.each(states)(`${look}: %s has nothing that axe-core finds wrong`, async (state, path, ready) => {
      const page = await open(path, ready, options);
      const found = await violationsOf(page);
      process.stdout.write(`axe-core, ${look}, ${state}: ${found.length} violations\n`);
      expect(
        found.map(({ id, impact, nodes }) => [id, impact, nodes.map(({ target }) => target.join(' '))]),
      ).toEqual([]);
    });
  }

  it('would be told of what is wrong', async () => {
    const page = await open('/', '#welcome', PLAIN);
    await page.evaluate("document.querySelector('.lede').append(document.createElement('input'))");
    expect((await violationsOf(page)).map(({ id, impact }) => [id, impact])).toEqual([['label', 'critical']]);
  });

  const long = `/?doi=10.1000/${'a'.repeat(400)}&with=10.1000/${'b'.repeat(400)}`;
  it.each([...states, ['a long name', long, '#record'] as const])(
    '%s is no wider than the screen, whatever that is',
    async (_, path, ready) => {
      const page = await open(path, ready, PLAIN);
      for (const width of [320, 375, 600, 768, 1024, 1100, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    },
  );

  it.each([
    ['reduce', 0],
    ['no-preference', 1],
  ] as const)('moves as much as was asked for: %s', async (reducedMotion, animations) => {
    const page = await open('/?doi=10.1000/1', '#record', PLAIN);
    await page.emulateMedia({ reducedMotion });
    await page.evaluate("document.querySelector('.glance dd').firstElementChild.className = 'waiting'");
    expect(await page.evaluate('document.getAnimations().length')).toBe(animations);
  });
});
