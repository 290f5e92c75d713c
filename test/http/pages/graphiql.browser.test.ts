import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { graphiqlExamples } from '../../../src/http/pages/graphiql.ts';
import { expectQuiet, patience, useChromium, type Visit, withoutChromium } from '../../support/chromium.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';

describe.skipIf(withoutChromium('GraphiQL in a browser'))('GraphiQL in a browser', () => {
  const open = useChromium();
  let gateway: ListeningGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    return async () => {
      await gateway.close();
    };
  });

  /** Opens the page without stored state, and waits for its editors. */
  async function visit(): Promise<Visit> {
    const { page } = await open(`${gateway.url}/healthz`);
    await page.evaluate('localStorage.clear()');
    const { seen } = await open(`${gateway.url}/graphql`);
    await query(page).getByText('EveryForm').waitFor();
    return { page, seen };
  }

  const query = (page: Page) => page.locator('.graphiql-query-editor .view-lines');
  const variables = (page: Page) => page.locator('.graphiql-editor-tool .view-lines').first();
  const result = (page: Page) => page.locator('.graphiql-response .view-lines');
  const titles = (page: Page) => page.getByRole('tab').allInnerTexts();
  const activeTitle = (page: Page) => page.getByRole('tab', { selected: true }).innerText();
  const allTitles = graphiqlExamples.map(({ query: text }) => /query (\w+)/.exec(text)?.[1]);

  it('opens its tabs and shows the result of the first tab, without messages in the console', async () => {
    const { page, seen } = await visit();
    expect(await titles(page)).toEqual(allTitles);
    expect(await activeTitle(page)).toBe('EveryForm');
    await page.locator('.graphiql-logo').getByText('DOI gateway').waitFor();
    const linesOfTitle = await page.evaluate<number>(`(() => {
      const texts = document.createTreeWalker(document.querySelector('.graphiql-logo'), NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      const bottoms = new Set();
      while (texts.nextNode()) {
        range.selectNodeContents(texts.currentNode);
        for (const { bottom, width } of range.getClientRects()) if (width > 0) bottoms.add(bottom);
      }
      return bottoms.size;
    })()`);
    expect(linesOfTitle).toBe(1);
    await variables(page).getByText('10.1000/456#789').waitFor();

    await page.locator('.graphiql-execute-button').click();
    await result(page).getByText('urn:doi:10.1000:456%23789').first().waitFor();

    await expect
      .poll(() => seen.workers.map((url) => url.replace(/.*\//, '')), patience)
      .toEqual(expect.arrayContaining(['editor.worker.js', 'graphql.worker.js', 'json.worker.js']));
    expect(seen.workers.filter((url) => !url.startsWith(gateway.url))).toEqual([]);
    expectQuiet(seen);
  });

  it('validates a query while a user types', async () => {
    const { page, seen } = await visit();
    await query(page).getByText('canonicalName').click();
    await page.keyboard.type('ly');
    await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor();
    expectQuiet(seen);
  });

  it('opens another tab with the variables of this tab at the first click', async () => {
    const { page } = await visit();
    await page.getByRole('tab', { name: 'FiftyAtOnce' }).click();
    await query(page).getByText('query FiftyAtOnce').first().waitFor();
    await variables(page).getByText('10.5438/bc11-cqw1').first().waitFor();
    expect(await activeTitle(page)).toBe('FiftyAtOnce');
  });

  it('joins the parts of a deferred result', async () => {
    const { page, seen } = await visit();
    await page.getByRole('tab', { name: 'AsTheyCome' }).click();
    await query(page).getByText('query AsTheyCome').first().waitFor();
    const types: (string | undefined)[] = [];
    page.on('response', (response) => {
      if (response.request().postData()?.includes('@defer')) types.push(response.headers()['content-type']);
    });
    // GraphiQL needs a moment to read the operation name of another tab.
    await vi.waitFor(async () => {
      await page.locator('.graphiql-execute-button').click();
      await result(page).getByText('registrationAgency').first().waitFor({ timeout: 1_000 });
    }, patience);
    expect(types.at(-1)).toMatch(/^multipart\/mixed/);
    expect(await result(page).getByText('errors').count()).toBe(0);
    // The schema of the page has the directives.
    expect(await page.locator('.graphiql-query-editor .squiggly-error').count()).toBe(0);
    expectQuiet(seen);
  });

  it('keeps its tabs, its text and its address after a reload', async () => {
    const { page } = await visit();
    await query(page).getByText('One DOI name').click();
    await page.keyboard.type('~');
    for (const key of ['query', 'tabState']) {
      await expect.poll(() => page.evaluate(`localStorage['graphiql:${key}']`), patience).toContain('~');
    }
    await page.reload();
    await query(page).getByText('~').waitFor();
    expect(await titles(page)).toEqual(allTitles);
    expect(page.url()).toBe(`${gateway.url}/graphql`);
  });

  it('blocks an inline script and a request to another host', async () => {
    const { page, seen } = await visit();
    await page.evaluate(`
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'self.ran = 1' }));
      fetch('https://example.org/').catch(() => {});
    `);
    await expect
      .poll(() => seen.complaints.join(), patience)
      .toMatch(/script-src-elem inline[\s\S]*connect-src https/);
    expect(await page.evaluate('self.ran')).toBeUndefined();
  });
});
