// The REST face in a browser: redirects and pages work, and no code from a record runs.

import { beforeAll, describe, expect, it } from 'vitest';
import { expectQuiet, useChromium, withoutChromium } from '../../support/chromium.ts';
import { type DirectoryServer, startDirectoryServer } from '../../support/directory-server.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { aliasTo, locations, url, value } from './rest-gateway.ts';

const RUN = "document.documentElement.setAttribute('data-ran', '1'); document.title = 'ran'";
const SCRIPT = `<script>${RUN}</script><img src="x" onerror="${RUN}">`;

describe.skipIf(withoutChromium('the REST face in a browser'))('the REST face in a browser', () => {
  const open = useChromium();
  let publisher: DirectoryServer;
  let gateway: ListeningGateway;

  beforeAll(async () => {
    publisher = await startDirectoryServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        '<!doctype html><title>The article</title><link rel="icon" href="data:,"><h1>The article</h1>',
      );
    });
    const records = {
      '10.1000/1': url(`${publisher.url.href}article?a=1`),
      '10/abcde': aliasTo('10.1000/1'),
      '10.1000/hostile': [value('DESC', SCRIPT), value('URL', 'javascript:alert(1)', 2)],
      '10.1000/xhtml': [
        locations(
          `<location xmlns="http://www.w3.org/1999/xhtml" tabindex="0" autofocus="" onfocus="${RUN}" style="animation: x 1s" href="https://example.org/"/>`,
        ),
      ],
    };
    const directory = createFakeDirectory({ records, now: Date.now() });
    gateway = await startGateway({ directory });
    return async () => {
      await gateway.close();
      await publisher.close();
    };
  });

  const visit = (target: string) => open(gateway.url + target);

  it.each([
    ['/10.1000/1', '/article?a=1'],
    ['/urn:doi:10.1000:1', '/article?a=1'],
    ['/10/abcde?urlappend=%26b=2', '/article?a=1&b=2'],
  ])('follows %s to the publisher', async (target, path) => {
    const { page, seen } = await visit(target);
    expect(page.url()).toBe(publisher.url.origin + path);
    expect(await page.title()).toBe('The article');
    expect(publisher.targets).toContain(path);
    expect(seen.outsideRequests).toEqual([]);
  });

  it('shows the not-found page, whose link leads to the article', async () => {
    const { page, seen } = await visit('/10.1000/1/');
    expect(await page.title()).toBe('DOI Name Not Found');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('DOI Name Not Found');
    // The content security policy allows the style.
    expect(await page.evaluate("getComputedStyle(document.querySelector('main h1')).overflowWrap")).toBe(
      'anywhere',
    );
    await page.getByRole('link', { name: '10.1000/1' }).click();
    await page.waitForURL(`${publisher.url.origin}/**`);
    expect(await page.title()).toBe('The article');
    expectQuiet(seen, /404/);
  });

  it('shows the values of a hostile record as a table, and runs nothing in it', async () => {
    const { page, seen } = await visit('/10.1000/hostile');
    expect(await page.getByRole('cell').allInnerTexts()).toContain(SCRIPT);
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Index',
      'Type',
      'Timestamp',
      'Data',
    ]);
    expect(await page.getByRole('link').count()).toBe(0);
    expect(await page.title()).toBe('10.1000/hostile');
    expectQuiet(seen);
  });

  it('runs no code in the list of URLs, even if a location is XHTML', async () => {
    const { page } = await visit('/10.1000/xhtml?action=showurls');
    const root = page.locator('locations');
    await root.waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    expect(await root.getAttribute('data-ran')).toBeNull();
  });
});
