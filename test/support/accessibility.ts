// The accessibility faults that axe-core finds in a page, and whether the page fits on the screen.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

// Half the size of axe.js, which takes a browser longer to load than to run.
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Runs in the page: the whole results are long.
const DESCRIBE = `({ violations }) => violations.map(({ id, impact, nodes }) => {
  const elements = nodes.slice(0, 3).map(({ target }) => target.join(' '));
  return id + ' (' + impact + '): ' + elements.join(', ');
})`;

/** Each violation as `rule (impact): its first elements`. Without rules, axe-core tests all that are on by default. */
export async function violationsOf(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate("'axe' in self"))) await page.evaluate(`{ ${axeSource} }; 0`);
  const runOnly = rules.length > 0 && { runOnly: { type: 'rule', values: rules } };
  const options = { resultTypes: ['violations'], ...runOnly };
  return await page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(${DESCRIBE})`);
}

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 320, height: 640 };

const looks = [
  { look: 'light', colorScheme: 'light', viewport: WIDE, rules: [] },
  // No style depends on the colour scheme and the width together.
  { look: 'dark and narrow', colorScheme: 'dark', viewport: NARROW, rules: [] },
  // A picture behind the wide masthead hides its contrast from axe-core.
  { look: 'narrow', colorScheme: 'light', viewport: NARROW, rules: ['color-contrast', 'link-in-text-block'] },
] as const;

/** The faults of an open page in light and dark, wide and narrow. */
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
