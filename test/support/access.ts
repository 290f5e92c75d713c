// What axe-core finds wrong in a page, and whether the page fits on the screen.

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Each violation as `rule (impact): its first elements`. Without rules, axe-core tests all that are on by default. */
export async function violationsOf(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(`self.axe ?? (() => { ${axe.source} })()`);
  const runOnly = rules.length > 0 && { runOnly: { type: 'rule', values: rules } };
  const options = { resultTypes: ['violations'], ...runOnly };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(({ id, impact, nodes }) => {
    const elements = nodes.slice(0, 3).map(({ target }) => target.join(' '));
    return `${id} (${impact}): ${elements.join(', ')}`;
  });
}

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 320, height: 640 };

// Dark differs from light by its colours alone.
const COLORS = ['color-contrast', 'link-in-text-block'];

const looks = [
  { look: 'light', colorScheme: 'light', viewport: WIDE, rules: [] },
  { look: 'dark', colorScheme: 'dark', viewport: WIDE, rules: COLORS },
  { look: 'narrow', colorScheme: 'light', viewport: NARROW, rules: [] },
  { look: 'dark and narrow', colorScheme: 'dark', viewport: NARROW, rules: COLORS },
] as const;

/** What is wrong with an open page in light and dark, wide and narrow. */
export async function violationsInEveryLook(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { look, colorScheme, viewport, rules } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const violation of await violationsOf(page, rules)) found.push(`${look}: ${violation}`);
    if (!(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')))
      found.push(`${look}: wider than the screen`);
  }
  return found;
}
