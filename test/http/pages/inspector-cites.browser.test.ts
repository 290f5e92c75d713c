// The inspector shows licence, funding, affiliations, abstract and references of a work.

import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { CslItem, WorkHistory } from '../../../src/works/work.ts';
import { violationsInEveryLook } from '../../support/accessibility.ts';
import { expectQuiet, patience, useChromium, withoutChromium } from '../../support/chromium.ts';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { untilAnnounced } from './inspector-page.ts';

const RUN = "document.documentElement.setAttribute('data-ran', '1')";
const MARKUP = `<img src=x onerror="${RUN}"><script>${RUN}</script>`;
const RETRACTED: WorkHistory = {
  updates: {
    outcome: 'RETRACTED',
    notices: [{ kind: 'RETRACTION', type: 'retraction', doi: null, date: null, sources: [], recordIds: [] }],
    noticeOf: [],
  },
  relations: [],
};

const PAPER: CslItem = {
  title: 'A whole work',
  type: 'article-journal',
  issued: { 'date-parts': [[2020]] },
  abstract: `<jats:p>First.</jats:p><jats:p>${MARKUP.replaceAll('<', '&lt;')}</jats:p>`,
  author: Array.from({ length: 120 }, (_, at) => ({
    family: `Person${at}`,
    affiliation: [{ name: 'One University' }, { name: `Institute ${at}` }],
  })),
  license: [
    { URL: 'https://creativecommons.org/licenses/by/4.0/', 'content-version': 'vor' },
    { URL: `javascript:${RUN}`, 'content-version': 'am' },
  ],
  funder: [
    { name: `Fund ${MARKUP.replaceAll('<', '&lt;')}`, DOI: '10.13039/501100000780', award: ['822336'] },
  ],
};
const LONG_REFERENCES = Array.from({ length: 2_000 }, (_, at) => ({ unstructured: `Reference ${at + 1}.` }));
const REFERENCES: CslItem = {
  reference: [
    { DOI: '10.5555/retracted', 'article-title': 'As deposited', year: '2001' },
    { unstructured: `A book without a DOI. ${MARKUP}` },
    { DOI: '10.5555/unwell', 'article-title': 'Deposited title', year: '1999' },
    { DOI: '10.5555/paper' },
  ],
};

describe.skipIf(withoutChromium('what a work cites'))('details of a work in the inspector', () => {
  const open = useChromium();
  let directory: FakeDirectory;
  let gateway: ListeningGateway;
  let isFailing: boolean;

  beforeAll(async () => {
    const names = ['paper', 'retracted', 'long', 'failing', 'listless', 'empty'];
    const listed =
      (reference: CslItem | null | (() => CslItem)) => async (_: unknown, format: { kind: string }) =>
        format.kind !== 'references'
          ? { title: 'Short' }
          : typeof reference === 'function'
            ? reference()
            : reference;
    directory = createFakeDirectory({
      records: Object.fromEntries(
        names.map((name) => [`10.5555/${name}`, [urlValue('https://example.org/')]]),
      ),
      histories: { '10.5555/retracted': RETRACTED },
      metadata: {
        '10.5555/paper': async (_, { kind }) => (kind === 'references' ? REFERENCES : PAPER),
        '10.5555/retracted': { title: 'A retracted work', issued: { 'date-parts': [[2001]] } },
        '10.5555/unwell': async () => {
          if (isFailing) throw new GatewayError('UPSTREAM_TIMEOUT');
          return { title: 'Well again', issued: { 'date-parts': [[1999]] } };
        },
        '10.5555/long': listed({ reference: LONG_REFERENCES }),
        '10.5555/failing': listed(() => {
          if (isFailing) throw new GatewayError('UPSTREAM_UNAVAILABLE');
          return { reference: [{ unstructured: 'Found at last.' }] };
        }),
        '10.5555/listless': listed({ reference: null }),
        '10.5555/empty': listed({ reference: [] }),
      },
    });
    gateway = await startGateway({ directory });
    return () => gateway.close();
  });

  beforeEach(() => {
    isFailing = true;
  });

  async function visit(name: string) {
    const { page, seen } = await open(`${gateway.url}/?doi=10.5555/${name}`);
    await page.locator('.work-title').waitFor();
    return { page, seen };
  }

  const unfold = (page: Page, label: RegExp | string) =>
    page.locator('summary').filter({ hasText: label }).click();
  const rows = (page: Page) => page.locator('.cited > li');
  const lookUps = (kind: string) => directory.calls.describe?.filter((call) => call.startsWith(kind)) ?? [];

  it('shows kind, licence and funding, and folds abstract and affiliations', async () => {
    const { page, seen } = await visit('paper');
    await page.getByText('Article · 2020', { exact: true }).waitFor();
    const lines = await page.locator('.related').allInnerTexts();
    expect(lines[0]).toMatch(/^Licence: CC-BY-4.0/);
    expect(lines[1]).toContain('Funded by: Fund <img');
    expect(await page.locator('.related').getByRole('link', { name: 'CC-BY-4.0' }).getAttribute('href')).toBe(
      'https://creativecommons.org/licenses/by/4.0/',
    );
    expect(await page.locator('.abstract').count()).toBe(0);

    await unfold(page, 'Abstract');
    const abstract = page.locator('.abstract');
    await abstract.getByText('First.').waitFor();
    expect(await abstract.locator('img, script').count()).toBe(0);

    await unfold(page, '121 affiliations');
    const affiliations = page.locator('.unfolded li');
    await affiliations.first().waitFor();
    expect(await affiliations.count()).toBe(50);
    expect(await affiliations.first().innerText()).toMatch(/^One University\s+Person0, .* and 115 more$/);
    await page.getByRole('button', { name: 'Show all 121 affiliations' }).click();
    expect(await affiliations.count()).toBe(121);

    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(await page.evaluate("document.documentElement.hasAttribute('data-ran')")).toBe(false);
    expect(await violationsInEveryLook(page)).toEqual([]);
    expectQuiet(seen);
  });

  it('links only to http and https, whatever the gateway sends', async () => {
    const { page, seen } = await open('about:blank');
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('https://creativecommons.org', `javascript:${RUN}//`);
      await route.fulfill({ response, body });
    });
    await page.goto(`${gateway.url}/?doi=10.5555/paper`);
    await page.locator('.related').first().getByText('CC-BY-4.0').waitFor();
    expect(await page.locator('.related').first().getByRole('link').count()).toBe(0);
    expectQuiet(seen);
  });

  it('looks up references when a user opens the list, marks retracted works, and can retry failed look-ups', async () => {
    const { page, seen } = await visit('paper');
    await page.locator('#record .values').waitFor();
    expect(lookUps('references')).toEqual([]);
    // The keyboard opens the list.
    await page.locator('summary').filter({ hasText: 'Cites' }).press('Enter');
    await rows(page).first().getByText('A retracted work (2001)').waitFor();
    expect((await rows(page).allInnerTexts()).map((row) => row.split(/\n+/))).toEqual([
      ['A retracted work (2001)', '10.5555/retracted', 'Retracted'],
      [`A book without a DOI. ${MARKUP}`],
      [
        'Deposited title (1999)',
        '10.5555/unwell',
        'Title and retractions are not known now: the service that describes it is slow.',
      ],
      ['A whole work (2020)', '10.5555/paper'],
    ]);
    expect(await page.evaluate("document.documentElement.hasAttribute('data-ran')")).toBe(false);
    await page.getByText('1 of the cited works is retracted.', { exact: true }).waitFor();
    await untilAnnounced(page, 'The page shows 4 references. 1 of the cited works is retracted.');
    expect(await violationsInEveryLook(page)).toEqual([]);

    isFailing = false;
    await page
      .getByText('1 cited work could not be looked up.')
      .getByRole('button', { name: 'Try again' })
      .click();
    await rows(page).nth(2).getByText('Well again (1999)').waitFor();
    expect(await page.getByText('could not be looked up').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.className')).toBe('cited');
    expect(lookUps('references')).toEqual(['references 10.5555/paper']);

    await rows(page).first().getByRole('link').click();
    await page.locator('.work-title').getByText('A retracted work').waitFor();
    expectQuiet(seen);
  });

  it('shows a list of 2,000 references in parts', async () => {
    const { page, seen } = await visit('long');
    await unfold(page, 'Cites');
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(100);
    await page.getByRole('button', { name: 'Show the next 100 of 2,000 references' }).click();
    expect(await rows(page).count()).toBe(200);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Reference 101.');
    expectQuiet(seen);
  });

  it('reports that the look-up of the list failed, and recovers with "Try again"', async () => {
    const { page, seen } = await visit('failing');
    await unfold(page, 'Cites');
    const failure = page.locator('.unfolded .missing');
    await failure
      .getByText('What it cites is not known now: the service that describes it is down.')
      .waitFor();
    isFailing = false;
    await failure.getByRole('button', { name: 'Try again' }).click();
    await rows(page).getByText('Found at last.').waitFor();
    expectQuiet(seen);
  });

  it.each([
    ['listless', 'Its agency gives no list.'],
    ['empty', 'The list of its agency is empty.'],
  ])('reports that there are no references: %s', async (name, words) => {
    const { page, seen } = await visit(name);
    await unfold(page, 'Cites');
    await expect.poll(() => page.locator('.unfolded').last().innerText(), patience).toBe(words);
    expectQuiet(seen);
  });
});
