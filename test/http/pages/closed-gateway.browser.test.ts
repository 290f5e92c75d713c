// The inspector and GraphiQL of a gateway without public access, in a browser.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '../../support/accessibility.ts';
import { expectQuiet, useChromium, withoutChromium } from '../../support/chromium.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { createKeysFile, KEY } from '../request/clients/api-key-files.ts';

describe.skipIf(withoutChromium('a closed gateway in a browser'))('a gateway without public access', () => {
  const open = useChromium();
  let gateway: ListeningGateway;

  beforeAll(async () => {
    const keys = await createKeysFile();
    gateway = await startGateway({}, { API_KEYS_FILE: keys.path, PUBLIC_ACCESS: 'no' });
    return async () => {
      await gateway.close();
      await keys.remove();
    };
  });

  /** Opens a page in a browser profile without a key. */
  const visit = (path: string) => open(gateway.url + path, {});

  const keyField = (page: Page) => page.getByLabel('API key');
  const failure = (page: Page) => page.locator('#verdict .failure');

  async function enter(page: Page, key: string): Promise<void> {
    await keyField(page).fill(key);
    await keyField(page).press('Enter');
  }

  it('has an inspector that requests the key accessibly, and keeps the key until the tab is closed', async () => {
    const { page, seen } = await visit('/?doi=10.1000/182');
    await failure(page).getByText('This gateway asks for a key').waitFor();
    expect(await keyField(page).getAttribute('type')).toBe('password');

    await enter(page, KEY);
    await page.locator('#record .values').waitFor();
    expect(await keyField(page).count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('doi');

    await page.reload();
    await page.locator('#record .values').waitFor();
    expect(await page.evaluate('Object.keys(localStorage).length')).toBe(0);
    expect(seen.requests.filter((request) => request.url().includes(KEY))).toEqual([]);
    // A browser reports every 401 in its console.
    expectQuiet(seen, /401/);

    const { page: other } = await visit('/?doi=10.1000/182&with=10.1000/1');
    await keyField(other).first().waitFor();
    expect(await violationsInEveryLook(other)).toEqual([]);
  });

  it('has an inspector that explains why a key is refused, and requests a key again', async () => {
    const { page } = await visit('/?doi=10.1000/182');
    await enter(page, 'wrong');
    await failure(page).getByText('does not know the API key').waitFor();
    // A header cannot contain this key.
    await enter(page, 'schlüssel');
    await failure(page).getByText('needs an API key').waitFor();
    await enter(page, KEY);
    await page.locator('#record .values').waitFor();
  });

  it('has a GraphiQL page that explains where to write the key', async () => {
    const { page } = await visit('/graphql');
    await page.getByText('This gateway requires an API key').waitFor();
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('.graphiql-editor-tool .monaco-editor').last().click();
    await page.keyboard.insertText(`{"Authorization": "Bearer ${KEY}"}`);
    await page.locator('.graphiql-execute-button').click();
    await page
      .locator('.graphiql-response .view-lines')
      .getByText('urn:doi:10.1000:456%23789')
      .first()
      .waitFor();
    await page.getByText('This gateway requires an API key').waitFor({ state: 'hidden' });
  });
});
