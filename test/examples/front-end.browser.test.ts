// A visit to the front-end example, as it is built: streaming, and what goes wrong on the way.

import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { violationsInEveryLook } from '../support/accessibility.ts';
import {
  expectQuiet,
  patience,
  useChromium,
  type Visit,
  type Watch,
  withoutChromium,
} from '../support/chromium.ts';
import { type FrontEnd, startFrontEnd, withoutFrontEnd } from '../support/front-end.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { createListDirectory, heldName, type ListDirectory, numbers } from './list-directory.ts';

/** The operations of the example as its build writes them down. The gateway executes nothing else here. */
const manifest = fileURLToPath(
  new URL('../../examples/front-end/generated/persisted-documents.json', import.meta.url),
);
const suite = 'The front-end example in a browser';

describe.skipIf(withoutFrontEnd(suite) || withoutChromium(suite))(suite, () => {
  const open = useChromium();
  let directory: ListDirectory;
  /** What the page's own server hands /graphql to: another one after a restart. */
  const gateway = { url: '' };
  let running: ListeningGateway;
  let frontEnd: FrontEnd;

  beforeAll(async () => {
    frontEnd = await startFrontEnd(gateway);
  });

  afterAll(async () => {
    await frontEnd.close();
  });

  beforeEach(async () => {
    directory = createListDirectory();
    await startAnew();
    return () => running.close();
  });

  async function startAnew(): Promise<void> {
    running = await startGateway({ directory }, { PERSISTED_OPERATIONS: manifest, PERSISTED_ONLY: 'yes' });
    gateway.url = running.url;
  }

  interface Asked {
    readonly query: string;
    readonly variables: { readonly inputs: string[] };
  }

  const isGraphql = (url: string) => url.endsWith('/graphql');
  /** What each request to the gateway asked; the requests for titles come after the others. */
  const allAsked = ({ requests }: Watch) =>
    requests.filter((request) => isGraphql(request.url())).map((request) => request.postDataJSON() as Asked);
  const isForTitles = ({ query }: Asked) => query.startsWith('query Titles');
  const requests = (seen: Watch) => allAsked(seen).filter((asked) => !isForTitles(asked));
  const titles = (seen: Watch) => allAsked(seen).filter(isForTitles);
  const contentTypes = ({ requests }: Watch) =>
    Promise.all(
      requests
        .filter((request) => isGraphql(request.url()))
        .map(async (request) => (await request.response())?.headers()['content-type']),
    );

  /** Pastes a list and asks for it. */
  async function ask(text: string, button = 'Look up'): Promise<Visit> {
    const visit = await open(frontEnd.url);
    await visit.page.getByLabel('DOIs, in any form, or a bibliography').fill(text);
    await visit.page.getByRole('button', { name: button }).click();
    return visit;
  }

  const heldList = numbers(1, 40).map(heldName).join('\n');
  const cells = (page: Page, row: number) => page.locator(`#row-${row}`).locator('th, td').allInnerTexts();
  const answered = (page: Page) => page.locator('progress').getAttribute('value').then(Number);
  const rowsThatAre = (page: Page, outcome: string) => page.locator(`tr[data-outcome="${outcome}"]`).count();
  const finished = (page: Page) => page.getByText('Done:').first().waitFor();

  it('says what it reads while a person types, without a request', async () => {
    const { page, seen } = await open(frontEnd.url);
    const list = page.getByLabel('DOIs, in any form, or a bibliography');
    const reading = page.locator('#list-reading');
    await list.fill('https://doi.org/10.1000/456%23789');
    await reading.getByText('The DOI name 10.1000/456#789.').waitFor();
    const height = (await reading.boundingBox())?.height;
    await list.fill('10.1000/182\n10.1000/');
    await reading.getByText('1 DOI name. Row 2: "10.1000/" has no suffix').waitFor();
    expect((await reading.boundingBox())?.height).toBe(height);
    expect(allAsked(seen)).toEqual([]);
  });

  it('has a row for every input, in order; what is wrong with one is said there and costs the others nothing', async () => {
    const { page, seen } = await ask(
      [
        'https://doi.org/10.5555/found',
        '10.1000/',
        '10.5555/broken',
        '10.5555/stale, doi:10.5555/absent',
        '10.5555/FOUND',
      ].join('\n'),
    );
    await finished(page);

    expect(await cells(page, 1)).toEqual([
      '1',
      'https://doi.org/10.5555/found',
      '10.5555/found\nGroup 1: first of 2 rows',
      'https://example.org/found\nURL value',
      'Crossref',
      'Found',
    ]);
    expect(await cells(page, 2)).toEqual([
      ...['2', '10.1000/', '', '', ''],
      'Not a DOI\n"10.1000/" has no suffix: after its prefix, a DOI name has "/" and at least one character.',
    ]);
    const unavailable = 'The directory is down. Try again.';
    expect(await cells(page, 3)).toEqual([
      ...['3', '10.5555/broken', '10.5555/broken', unavailable, 'none', `Failed\n${unavailable}`],
    ]);
    const [, , , leadsTo, agency, status] = await cells(page, 4);
    expect(leadsTo).toBe('https://example.org/stale\nURL value');
    expect(agency).toBe('The directory is slow. Try again.');
    expect(status).toMatch(/^Found\nOld copy, from /);
    expect(await cells(page, 5)).toEqual([
      ...['5', 'doi:10.5555/absent', '10.5555/absent', 'leads nowhere', 'none', 'Not found'],
    ]);
    expect(await cells(page, 6)).toEqual([
      ...['6', '10.5555/FOUND', '10.5555/FOUND\nGroup 1: same DOI as row 1'],
      ...['https://example.org/found\nURL value', 'Crossref', 'Found'],
    ]);
    expect(await page.getByRole('link', { name: 'https://example.org/found' }).count()).toBe(2);
    expect(requests(seen)).toHaveLength(1);
    expectQuiet(seen);
  });

  it('finds the DOIs of a bibliography, and has a row for each as it is written there', async () => {
    const { page, seen } = await ask(
      'Smith, J. (2020). A title. https://doi.org/10.5555/found.\nMiller, K. Absent (doi:10.5555/ab-\nsent).',
      'Find the DOIs in it',
    );
    await finished(page);
    expect(await cells(page, 1)).toEqual([
      ...['1', 'https://doi.org/10.5555/found', '10.5555/found', 'https://example.org/found\nURL value'],
      ...['Crossref', 'Found'],
    ]);
    expect(await cells(page, 2)).toEqual([
      ...['2', 'doi:10.5555/ab- sent\nthe name is put together from this: check it', '10.5555/ab-sent'],
      ...['leads nowhere', 'none', 'Not found'],
    ]);
    expect(requests(seen).map(({ variables }) => variables.inputs)).toEqual([
      undefined,
      ['doi:10.5555/found', 'doi:10.5555/ab-sent'],
    ]);
    expectQuiet(seen);
  });

  it('says what was probably copied along with a name, and leaves the name as it is', async () => {
    const { page, seen } = await ask('10.5555/found.\n10.5555/found');
    await finished(page);
    const [, , name] = await cells(page, 1);
    expect(name).toMatch(/^10\.5555\/found\.\n.*Perhaps meant: 10\.5555\/found$/);
    expect((await cells(page, 2))[2]).toBe('10.5555/found');
    expectQuiet(seen);
  });

  it('says where a text has none, and where the gateway does not take it', async () => {
    const { page } = await ask('Nothing here', 'Find the DOIs in it');
    await page.getByRole('status').getByText('There is no DOI in this text.').waitFor();
    await page.getByLabel('DOIs, in any form, or a bibliography').fill('word '.repeat(250_000));
    await page.getByRole('button', { name: 'Find the DOIs in it' }).click();
    await page
      .getByRole('alert')
      .getByText(/MAX_BODY_BYTES|larger than|bytes/)
      .waitFor();
  });

  it('fills each row in as its answer comes, and the bar moves', async () => {
    const { page, seen } = await ask(heldList);
    await expect.poll(() => directory.waiting(), patience).toBe(40);
    expect(await rowsThatAre(page, 'waiting')).toBe(40);
    expect(await cells(page, 7)).toEqual(['7', heldName(7), heldName(7), '', '', 'Waiting']);

    directory.letGo([7]);
    await expect.poll(() => answered(page), patience).toBe(1);
    expect(await contentTypes(seen)).toEqual(['multipart/mixed; boundary="-"']);
    expect((await cells(page, 7)).slice(3)).toEqual(['https://example.org/7\nURL value', 'none', 'Found']);
    directory.letGo(numbers(21, 30));
    await expect.poll(() => answered(page), patience).toBe(11);
    expect(await rowsThatAre(page, 'waiting')).toBe(29);
    expect(await page.locator('[aria-live]').innerText()).toBe('20 percent answered');
    expect(directory.waiting()).toBe(29);

    directory.letGo(numbers(1, 40));
    await finished(page);
    expect(await answered(page)).toBe(40);
    expect(await rowsThatAre(page, 'found')).toBe(40);
    expect(requests(seen)).toHaveLength(1);
    expectQuiet(seen);
  });

  it('shows titles of what was found, as they come and beside the answers', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const paper = { title: 'H<sub>2</sub>O', author: [{ literal: 'A. One' }, { literal: 'B. Two' }] };
    directory = createListDirectory(
      {
        '10.5555/found': { ...paper, issued: { 'date-parts': [[2020]] } },
        [heldName(1)]: async () => {
          await held;
          return { title: 'Held' };
        },
        [heldName(3)]: new GatewayError('UPSTREAM_TIMEOUT'),
      },
      {
        '10.5555/found': { updates: { outcome: 'RETRACTED', notices: [], noticeOf: [] }, relations: [] },
        [heldName(1)]: { updates: { outcome: 'NONE_RECORDED', notices: [], noticeOf: [] }, relations: [] },
      },
    );
    directory.letGo([1, 2, 3]);
    await running.close();
    await startAnew();
    const { page, seen } = await ask(
      ['10.5555/found', heldName(1), heldName(2), heldName(3), '10.5555/absent'].join('\n'),
    );
    await finished(page);
    const nameCell = async (row: number) => (await cells(page, row))[2];
    await expect
      .poll(() => nameCell(1), patience)
      .toBe('10.5555/found\nH2O\nA. One and 1 more, 2020\nRetracted');
    await expect
      .poll(() => nameCell(4), patience)
      .toBe(`${heldName(3)}\nno title now: The directory is slow. Try again.`);
    expect(await nameCell(2)).toBe(heldName(1));
    release();
    await expect
      .poll(() => nameCell(2), patience)
      .toBe(`${heldName(1)}\nHeld\nretractions: none recorded by Crossref`);
    expect([await nameCell(3), await nameCell(5)]).toEqual([heldName(2), '10.5555/absent']);
    expect(titles(seen).map(({ variables }) => variables.inputs)).toEqual([
      ['10.5555/found', heldName(1), heldName(2), heldName(3)],
    ]);
    await page.getByRole('button', { name: 'Ask again for 1 row' }).waitFor();
    expectQuiet(seen);
  });

  it('soon asks a gateway without metadata for titles no more', async () => {
    const { page, seen } = await ask('10.5555/found');
    await finished(page);
    await expect.poll(() => contentTypes(seen), patience).toHaveLength(2);
    for (const asked of numbers(2, 6)) {
      await page.getByRole('button', { name: 'Look up' }).click();
      await expect.poll(() => requests(seen).length, patience).toBe(asked);
      await finished(page);
    }
    // A second one, where the list was asked for anew before the first answer was read.
    expect(titles(seen).length).toBeLessThanOrEqual(2);
    expect((await cells(page, 1))[2]).toBe('10.5555/found');
    expectQuiet(seen);
  });

  it('cancels: the look-ups end, what has come stays, and the rest can be asked for later', async () => {
    const { page, seen } = await ask(heldList);
    await expect.poll(() => directory.waiting(), patience).toBe(40);
    directory.letGo(numbers(1, 10));
    await expect.poll(() => answered(page), patience).toBe(10);

    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => directory.waiting(), patience).toBe(0);
    await page.getByText('Cancelled: 10 of 40 rows answered').first().waitFor();
    expect((await cells(page, 11)).at(-1)).toBe('No answer');
    expect((await cells(page, 10)).at(-1)).toBe('Found');

    directory.letGo(numbers(11, 40));
    await page.getByRole('button', { name: 'Ask again for 30 rows' }).click();
    await finished(page);
    expect(await rowsThatAre(page, 'found')).toBe(40);
    expect(requests(seen).map(({ variables }) => variables.inputs.length)).toEqual([40, 30]);
  });

  it('keeps what has come when the gateway goes away, and goes on from there when it is back', async () => {
    const { page, seen } = await ask(heldList);
    await expect.poll(() => directory.waiting(), patience).toBe(40);
    directory.letGo(numbers(1, 10));
    await expect.poll(() => answered(page), patience).toBe(10);

    await running.close();
    await page.getByRole('alert').getByText('The gateway cannot be reached').waitFor();
    expect(await rowsThatAre(page, 'found')).toBe(10);
    await page.getByRole('button', { name: 'Ask again for 30 rows' }).click();
    await expect.poll(() => requests(seen).length, patience).toBe(2);
    await page.getByRole('alert').waitFor();

    directory.holdAgain();
    directory.letGo(numbers(11, 40));
    await startAnew();
    await page.getByRole('button', { name: 'Ask again for 30 rows' }).click();
    await finished(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await rowsThatAre(page, 'found')).toBe(40);
  });

  it('says so when an answer just stops, and keeps what has come', async () => {
    const { page, seen } = await open(frontEnd.url);
    const answer = (number: number) => ({
      record: { status: 'SUCCESS', stale: false, fetchedAt: '2026-11-20T12:00:00Z', message: null },
      redirect: { url: `https://example.org/${number}`, chosenBy: 'URL' },
      registrationAgency: null,
      warnings: [],
    });
    const dois = [1, 2, 3].map((number) => ({ id: `doi:10.5555/${number}`, name: `10.5555/${number}` }));
    const nullRow = { message: 'Nothing is left of it.', path: ['dois', 1, 'record', 'status'] };
    const parts = [
      { data: { dois, doiEquivalenceClasses: { classes: [] } }, hasNext: true },
      {
        incremental: [
          { path: ['dois', 0], data: answer(1) },
          { path: ['dois', 1], data: null, errors: [nullRow] },
        ],
        hasNext: true,
      },
    ].map((part) => `\r\n---\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(part)}`);
    await page.route('**/graphql', (route) =>
      route.fulfill({ contentType: 'multipart/mixed; boundary="-"', body: `${parts.join('')}\r\n---` }),
    );
    await page.getByLabel('DOIs, in any form, or a bibliography').fill('10.5555/1 10.5555/2 10.5555/3');
    await page.getByRole('button', { name: 'Look up' }).click();

    await page.getByRole('alert').getByText('the connection ended before the last answer').waitFor();
    expect((await cells(page, 1)).at(-1)).toBe('Found');
    expect((await cells(page, 2)).slice(2)).toEqual(['10.5555/2', '', '', 'Failed\nNothing is left of it.']);
    expect((await cells(page, 3)).at(-1)).toBe('No answer');
    await page.getByRole('button', { name: 'Ask again for 1 row' }).waitFor();
    expectQuiet(seen);
  });

  it('asks for a long list in parts, one after the other, and knows one DOI in two of them', async () => {
    const names = numbers(1, 600).map((number) => `10.5555/absent-${number}`);
    const { page, seen } = await ask([...names, '10.5555/ABSENT-1'].join('\n'));
    await finished(page);
    expect(requests(seen).map(({ variables }) => variables.inputs.length)).toEqual([500, 101]);
    expect(await rowsThatAre(page, 'absent')).toBe(601);
    expect((await cells(page, 601))[2]).toBe('10.5555/ABSENT-1\nGroup 1: same DOI as row 1');
  });

  it('takes what a directory says for text, and makes links of http, https and ftp alone', async () => {
    const { page, seen } = await open(frontEnd.url);
    const hostile = '<img src=x onerror="document.title = 1">';
    const targets = ['javascript:alert(1)', 'data:text/html,1', hostile, 'ftp://example.org/a'];
    const dois = targets.map((url, place) => ({
      id: `doi:10.5555/${place}`,
      name: hostile,
      record: { status: 'SUCCESS', stale: false, fetchedAt: '2026-11-20T12:00:00Z', message: null },
      redirect: { url, chosenBy: 'NEW_CHOICE' },
      registrationAgency: { name: hostile, title: null, homepageUrl: 'javascript:alert(2)' },
      warnings: [{ code: 'NEW_CODE', message: hostile, repaired: { name: hostile } }],
      metadata: { title: hostile, creators: [{ name: hostile }], issued: null },
    }));
    await page.route('**/graphql', (route) =>
      route.fulfill({ json: { data: { dois, doiEquivalenceClasses: { classes: [] } } } }),
    );
    await page
      .getByLabel('DOIs, in any form, or a bibliography')
      .fill('10.5555/0\n10.5555/1\n10.5555/2\n10.5555/3');
    await page.getByRole('button', { name: 'Look up' }).click();
    await finished(page);
    await expect.poll(() => page.locator('.work').count(), patience).toBe(4);
    const links = await page.locator('table a').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      'ftp://example.org/a',
    ]);
    expect((await cells(page, 3)).slice(2, 5)).toEqual([
      `${hostile}\n${hostile}\n${hostile}\n${hostile} Perhaps meant: ${hostile}`,
      `${hostile}\nnew_choice`,
      hostile,
    ]);
    expectQuiet(seen);
  });

  it('can be used by everybody', async () => {
    const { page } = await ask(
      '10.5555/found\n10.5555/FOUND\n10.1000/\n10.5555/stale\n10.5555/broken\n10.5555/1',
    );
    await finished(page);
    expect(await violationsInEveryLook(page)).toEqual([]);
  });
});
