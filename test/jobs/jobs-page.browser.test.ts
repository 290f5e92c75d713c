// The page at /jobs in a real browser: upload, progress and download.

import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { FIELDS } from '../../src/tools/bulk/fields.ts';
import { createKeysFile, KEY } from '../http/request/clients/api-key-files.ts';
import { violationsOf } from '../support/accessibility.ts';
import { expectQuiet, useChromium, type Watch, withoutChromium } from '../support/chromium.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { withoutRedis } from '../support/redis-server.ts';
import { createJobFleet, JOB_HEADER, type JobFleet } from './job-fleet.ts';
import { createGatedDirectory } from './job-folder.ts';

const LINES = 2_000;
const CSV = `id,doi\n${Array.from({ length: LINES }, (_, at) => `${at},10.1000/${at}\n`).join('')}`;

const isSkipped = withoutChromium('the page of jobs') || withoutRedis('the page of jobs');

describe.skipIf(isSkipped)('the page of jobs', () => {
  let fleet: JobFleet;
  const open = useChromium();
  let gateway: ListeningGateway;
  let page: Page;
  let seen: Watch;
  // The second chunk waits until the page has shown the first chunk.
  const directory = createGatedDirectory('10.1000/1500');

  beforeAll(async () => {
    const keys = await createKeysFile();
    fleet = await createJobFleet({ API_KEYS_FILE: keys.path });
    gateway = await fleet.start({ directory });
    ({ page, seen } = await open('about:blank'));
    return async () => {
      await fleet.close();
      await keys.remove();
    };
  });

  it('offers each field of `doi bulk`, with the usual fields ticked', async () => {
    await page.goto(`${gateway.url}/jobs`);
    const values = (state: string) =>
      page
        .locator(`input[name=field]${state}`)
        .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value));
    const names = FIELDS.map(({ name }) => name);
    expect(new Set(await values(''))).toEqual(new Set(names));
    expect(await values(':checked')).toEqual(['name', 'exists', 'url']);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('uploads a file of 2,000 lines, shows its progress, and offers the result', async () => {
    await page.goto(`${gateway.url}/jobs`);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'names.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(CSV),
    });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();

    await page.getByText('1,000 of 2,000').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('0.5');
    await page.locator('#state').getByText('The job runs.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    directory.open();

    await page.locator('#state').getByText('The job is done.').waitFor();
    expect(await page.locator('#absent').textContent()).toBe('2,000');
    expect(await violationsOf(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the result' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('names-doi-names.csv');
    const lines = (await text(await download.createReadStream())).trimEnd().split('\n');
    expect(lines.length).toBe(LINES + 1);
    expect(lines[0]).toBe('id,doi,name,exists,url,error');
    expect(lines[LINES]).toBe(
      `${LINES - 1},10.1000/${LINES - 1},10.1000/${LINES - 1},false,https://doi.org/10.1000/${LINES - 1},`,
    );
  });

  it('shows the same job after a reload, and forgets a deleted job', async () => {
    await page.reload();
    await page.locator('#state').getByText('The job is done.').waitFor();
    page.once('dialog', (dialog) => {
      expect(dialog.message()).toContain('Delete the uploaded file and its result?');
      void dialog.accept();
    });
    await page.getByRole('button', { name: 'Stop the job and delete its files' }).click();
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
    expect(await fleet.jobsOnDisk()).toEqual([]);
  });

  it('remembers uploaded files, with and without an API key, and forgets deleted files', async () => {
    const uploadFile = async (name: string) => {
      await page.goto(`${gateway.url}/jobs`);
      const file = { name, mimeType: 'text/csv', buffer: Buffer.from('doi\n10.1000/1\n') };
      await page.getByLabel('File', { exact: true }).setInputFiles(file);
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
      await page.locator('#state').getByText('The job is done.').waitFor();
      return page.url().split('#')[1] ?? '';
    };
    const line = (name: string) => page.locator('#own li').filter({ hasText: name });
    const first = await uploadFile('first.csv');
    await uploadFile('second.csv');
    await page.evaluate(`sessionStorage.setItem('doi-gateway-key', '${KEY}')`);
    await uploadFile('with-key.csv');
    await page.evaluate('sessionStorage.clear()');

    await page.goto(`${gateway.url}/jobs`);
    await page.reload();
    await line('first.csv').getByText('The job is done.').waitFor();
    await line('with-key.csv').getByText('The job needs its API key.').waitFor();
    expect(await page.locator('#own li a').allTextContents()).toEqual([
      'with-key.csv',
      'second.csv',
      'first.csv',
    ]);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('API key').fill(KEY);
    await page.getByLabel('API key').blur();
    await line('with-key.csv').getByText('The job is done.').waitFor();

    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete second.csv' }).click();
    await line('second.csv').waitFor({ state: 'detached' });
    await fetch(`${gateway.url}/jobs/${first}`, { method: 'DELETE', headers: JOB_HEADER });
    await page.reload();
    await line('first.csv').waitFor({ state: 'detached' });
    await line('with-key.csv').waitFor();
    expect(JSON.parse(String(await page.evaluate("localStorage.getItem('doi-gateway-jobs')")))).toMatchObject(
      [{ name: 'with-key.csv', hasKey: true }],
    );
    await page.evaluate('localStorage.clear()');
    await page.reload();
    // The tab still has the key, so the gateway lists the jobs of the key.
    await line('A file from').getByRole('link').click();
    await page.locator('#state').getByText('The job is done.').waitFor();
    // With a key, a script downloads the result. The script must not save an error as the result.
    await page.route('**/result', (route) => route.fulfill({ status: 503, body: '{"errors":[]}' }));
    await page.getByRole('link', { name: 'Download the result' }).click();
    await page.locator('#state').getByText('The result could not be downloaded.').waitFor();
    await page.unroute('**/result');
    await page.evaluate('sessionStorage.clear()');
    await page.goto(`${gateway.url}/jobs`);
  });

  it('works in a browser that stores nothing', async () => {
    const { page: denied } = await open('about:blank', {});
    await denied.addInitScript(`
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
      }`);
    await denied.goto(`${gateway.url}/jobs`);
    const file = { name: 'denied.csv', mimeType: 'text/csv', buffer: Buffer.from('doi\n10.1000/1\n') };
    await denied.getByLabel('File', { exact: true }).setInputFiles(file);
    await denied.getByRole('button', { name: 'Upload', exact: true }).click();
    await denied.locator('#state').getByText('The job is done.').waitFor();
    await denied.locator('#own li').getByText('The job is done.').waitFor();
  });

  it('shows the error of a refused file', async () => {
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'names.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('a,b\n1,2\n'),
    });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.locator('.wrong').getByText('Which column holds the names?').waitFor();
    await page.getByLabel('Columns of a reference').fill('a,b');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.locator('.wrong').getByText('This gateway does not search for references.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('sends no requests to other servers, and has no inline code', () => {
    // A browser logs every response with a status 4xx.
    expectQuiet(seen, /40[04]|503/);
    const own = new URL(gateway.url).origin;
    expect(seen.requests.filter((request) => new URL(request.url()).origin !== own)).toEqual([]);
  });
});
