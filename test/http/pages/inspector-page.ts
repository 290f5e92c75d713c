// The parts of the inspector's page that its tests use.

import type { Locator, Page } from 'playwright-core';

export const field = (page: Page) => page.getByLabel('DOI, link, sentence or reference list');
export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const statusLine = (page: Page) => page.getByRole('status');
export const search = (page: Page) => new URL(page.url()).search;
export const pathWith = (text: string) => `/?doi=${encodeURIComponent(text)}`;

/** Submits a text at once, without the pause after the last key. */
export async function submit(input: Locator, text: string): Promise<void> {
  await input.fill(text);
  await input.press('Enter');
}

/** Waits until the page announces a text to screen readers. */
export async function untilAnnounced(page: Page, text: string): Promise<void> {
  await statusLine(page).getByText(text).waitFor({ state: 'attached' });
}
