// The inspector with a text: the list of its names, suggestions, and names that look alike.

import { text } from 'node:stream/consumers';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkHistory } from '../../../src/works/work.ts';
import { expectQuiet, keepCopies, patience, useChromium, withoutChromium } from '../../support/chromium.ts';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { field, section, submit, untilAnnounced } from './inspector-page.ts';

const BIBLIOGRAPHY = `1. Smith, J. A title. https://doi.org/10.1000/one.
2. Miller, K. Another one (doi:10.1000/none).
3. Smith, J. Again: DOI 10.1000/ONE`;

const MANY = Array.from({ length: 130 }, (_, index) => `${index}. 10.1000/${index}`).join('\n');

const RETRACTED: WorkHistory = {
  updates: { outcome: 'RETRACTED', notices: [], noticeOf: [] },
  relations: [],
};

describe.skipIf(withoutChromium('the inspector with a text'))('the inspector with a text', () => {
  const open = useChromium();
  let gateway: ListeningGateway;
  let directory: FakeDirectory;

  beforeAll(async () => {
    const records = {
      '10.1000/one': [urlValue('https://example.org/one')],
      '10.1000/paypal': [urlValue('https://example.org/paypal')],
      '10.1000/formula': [urlValue('=HYPERLINK("https://evil.example")')],
    };
    const agencies = Object.fromEntries(
      Object.keys(records).map((name) => [name, { status: 'FOUND', agency: 'Agency' } as const]),
    );
    const metadata = {
      '10.1000/one': { title: 'The title of one', issued: { 'date-parts': [[2020]] } },
      '10.1000/formula': { title: '=TITLE()' },
    };
    const histories = { '10.1000/one': RETRACTED };
    directory = createFakeDirectory({ records, agencies, metadata, histories });
    gateway = await startGateway({ directory });
    return async () => {
      await gateway.close();
    };
  });

  const visit = (text: string | null, profile?: BrowserContextOptions, at = gateway) =>
    open(`${at.url}/${text === null ? '' : `?doi=${encodeURIComponent(text)}`}`, profile);

  const rowTexts = async (page: Page) =>
    (await page.locator('.found-list tbody tr').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));

  it('lists the names of a reference list, with their records and titles', async () => {
    const { page, seen } = await visit(BIBLIOGRAPHY);
    await untilAnnounced(page, '3 DOI names in this text. 2 of 3');
    await section(page, '3 DOI names in this text').waitFor();
    await expect
      .poll(() => page.locator('.found-list').getByText('The title of one').count(), patience)
      .toBe(2);
    expect(await rowTexts(page)).toEqual([
      '1. 10.1000/one The title of one 2020 Retracted ✓Registered Agency https://example.org/one',
      '2. 10.1000/none –Not in the embedded directory not known not known',
      '3. 10.1000/ONE the same DOI as in row 1 The title of one 2020 Retracted ✓Registered Agency https://example.org/one',
    ]);
    expect(await field(page).getAttribute('aria-invalid')).toBeNull();

    await section(page, '3 DOI names in this text')
      .getByRole('link', { name: '10.1000/one', exact: true })
      .click();
    await section(page, 'Record').waitFor();
    await page.goBack();
    await section(page, '3 DOI names in this text').waitFor();
    expect(await field(page).inputValue()).toBe(BIBLIOGRAPHY);
    expectQuiet(seen);
  });

  it('lists references without a DOI, and looks up no title if a name is not found', async () => {
    const { page, seen } = await visit('A book without.\n\n10.1000/one\n\nAnother one.\n\n10.1000/none');
    const without = section(page, '2 references without a DOI');
    expect(await without.getByRole('listitem').allInnerTexts()).toEqual([
      'Line 1: A book without.',
      'Line 5: Another one.',
    ]);
    await page.locator('.found-list').getByText('The title of one').waitFor();
    expect(directory.calls.describe).not.toContain('csl 10.1000/none');
    expectQuiet(seen);
  });

  it('reports once that titles are off', async () => {
    const off = await startGateway({}, { METADATA: 'no' });
    const { page, seen } = await visit('10.1000/182\n10.1000/1', undefined, off);
    await page.getByText('Titles are turned off on this gateway.').waitFor();
    expectQuiet(seen);
    await off.close();
  });

  it('submits with Enter, and adds a line with Shift and Enter', async () => {
    const { page, seen } = await visit(null, {});
    await field(page).focus();
    await page.keyboard.insertText('10.1000/one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.insertText('10.1000/none');
    expect(await field(page).inputValue()).toBe('10.1000/one\n10.1000/none');
    const before = await page.evaluate<number>('history.length');
    await page.keyboard.press('Enter');
    await section(page, '2 DOI names in this text').waitFor();
    expect(await field(page).inputValue()).toBe('10.1000/one\n10.1000/none');
    expect(await page.evaluate('history.length')).toBe(before + 1);
    expectQuiet(seen);
  });

  it('copies the list as CSV without formulas', async () => {
    const { page, seen } = await visit('10.1000/formula\n10.1000/a,b');
    const copied = await keepCopies(page);
    await untilAnnounced(page, '1 of 2');
    await page.locator('.found-list').getByText('=TITLE()').waitFor();
    await page.getByRole('button', { name: 'Copy as CSV' }).click();
    await untilAnnounced(page, 'Copied: the list as CSV.');
    expect(await copied()).toBe(
      [
        'DOI name,Link,As written,From character,To character,Put together,In the directory,Title,Year,Updates,Registered by,Leads to',
        `10.1000/formula,https://doi.org/10.1000/formula,10.1000/formula,1,15,no,yes,'=TITLE(),,reported for another DOI,Agency,`,
        '"10.1000/a,b","https://doi.org/10.1000/a,b","10.1000/a,b",17,27,no,no,,,,,',
        '',
      ].join('\r\n'),
    );
    expectQuiet(seen);
  });

  it('downloads all rows as CSV, and each name once as BibTeX', async () => {
    const { page, seen } = await visit('10.1000/one\n10.1000/none\n10.1000/ONE');
    await page.locator('.found-list').getByText('Retracted').first().waitFor();
    const saved = async (label: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: label }).click(),
      ]);
      return [download.suggestedFilename(), await text(await download.createReadStream())] as const;
    };
    const [csvName, csv] = await saved('Download CSV');
    expect(csvName).toBe('dois.csv');
    expect(csv.split('\r\n')).toHaveLength(5);
    expect(csv).toContain(',The title of one,2020,Retracted,');
    const [bibtexName, bibtex] = await saved('Download BibTeX');
    expect(bibtexName).toBe('dois.bib');
    expect(bibtex.match(/^@/gm)).toHaveLength(1);
    await page.getByText('The file leaves out 1 name without metadata.').waitFor();
    expectQuiet(seen);
  });

  it('selects the list as CSV if there is no clipboard', async () => {
    const { page, seen } = await visit('10.1000/one\n10.1000/none');
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByRole('button', { name: 'Copy as CSV' }).click();
    await untilAnnounced(page, 'the list as CSV is selected.');
    expect(await page.evaluate('String(getSelection())')).toContain('DOI name,Link,As written');
    expectQuiet(seen);
  });

  it('looks up a hundred names at first, and keeps a long text in the history', async () => {
    const text = MANY.padEnd(7_000, ' .');
    const { page, seen } = await visit(null);
    const callsBefore = directory.calls.resolve.length;
    await submit(field(page), text);
    await untilAnnounced(page, '0 of 100 are in the directory');
    expect(await page.locator('.found-list tbody tr').count()).toBe(100);
    // On a busy machine, the page may repeat a request.
    expect(new Set(directory.calls.resolve.slice(callsBefore).map(({ name }) => name)).size).toBe(100);
    await page.getByRole('button', { name: 'Show the next 30 of 130 names' }).click();
    await untilAnnounced(page, '0 of 130');
    expect(await page.locator('.found-list tbody tr').count()).toBe(130);
    expect(await page.getByRole('button', { name: /Show the next/ }).count()).toBe(0);

    await page.locator('.found-list').getByRole('link', { name: '10.1000/7', exact: true }).click();
    await section(page, 'Record').waitFor();
    await page.goBack();
    await section(page, '130 DOI names in this text').waitFor();
    expect(await field(page).inputValue()).toBe(text);
    expectQuiet(seen);
  });

  it('reports the rows that failed, and recovers with "Try again"', async () => {
    const { page, seen } = await visit(null);
    await page.route('**/graphql', (route) =>
      String(route.request().postData()).includes('InspectList') ? route.abort() : route.continue(),
    );
    await submit(field(page), '10.1000/one\n10.1000/none');
    const failure = section(page, 'Some rows have no answer');
    await failure.getByText('The gateway cannot be reached.').waitFor();
    await page.unroute('**/graphql');
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.found-list .standing.found').waitFor();
    expect(await failure.count()).toBe(0);
    // The console of Chromium reports every failed request.
    expectQuiet(seen, /^Failed to load resource/);
  });

  it('reports that a text has no name', async () => {
    const { page, seen } = await visit('Nothing\nhere');
    await section(page, 'There is no DOI name in this text').waitFor();
    expect(await field(page).getAttribute('aria-invalid')).toBe('true');
    expect(await field(page).getAttribute('aria-describedby')).toBe('ask-hint problem-title');
    expectQuiet(seen);
  });

  it('lists the names in a line, but only on demand if the line itself is a name', async () => {
    const { page, seen } = await visit('See doi:10.1000/one and 10.1000/none');
    await section(page, '2 DOI names in this text').waitFor();
    expect(await field(page).getAttribute('aria-invalid')).toBeNull();
    expect(await page.locator('#compare').isVisible()).toBe(false);
    await submit(field(page), '10.1000/one, 10.1000/none');
    await page.getByRole('button', { name: 'List all DOI names in it' }).click();
    await section(page, '2 DOI names in this text').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('2 DOI names in this text');
    expectQuiet(seen);
  });

  it('suggests the name that the warning repairs', async () => {
    const { page, seen } = await visit('10.1000/one.');
    await page.locator('.warnings').getByRole('link', { name: '10.1000/one', exact: true }).click();
    await section(page, 'Record').waitFor();
    expect(await field(page).inputValue()).toBe('doi:10.1000/one');
    expectQuiet(seen);
  });

  it('marks a look-alike character by a sign and a number, and describes it in words', async () => {
    const { page, seen } = await visit('10.1000/p\u0430ypal');
    const mark = page.locator('.suffix mark.lookalike');
    await mark.waitFor();
    expect((await mark.textContent())?.replaceAll(/\s+/g, ' ')).toBe(
      '\u04301 (mark 1: CYRILLIC SMALL LETTER A) ',
    );
    expect(await mark.evaluate((element) => getComputedStyle(element).borderStyle)).toBe('dashed');
    const notes = page.getByRole('list', { name: 'Look-alikes' }).getByRole('listitem');
    expect(await notes.allInnerTexts()).toEqual([
      'Character 10: \u0430 U+0430 CYRILLIC SMALL LETTER A, looks like a',
    ]);
    await page.locator('.warnings').getByRole('link', { name: '10.1000/paypal' }).waitFor();
    const cells = page.getByRole('list', { name: 'Characters of the name' }).getByRole('listitem');
    expect((await cells.nth(9).innerText()).replaceAll(/\s+/g, ' ')).toContain('like a');
    expect(await page.locator('.prefix mark').count()).toBe(0);
    expectQuiet(seen);
  });

  it('shows the differences of two names that look alike', async () => {
    const { page, seen } = await visit('10.1000/paypa1');
    const compare = section(page, 'Compare with another DOI');
    await compare.getByLabel('The other one, in any form').fill('10.1000/p\u0430ypal');
    await compare.getByRole('heading', { name: 'Two DOIs that look alike' }).waitFor();
    const rows = compare.locator('.differences tbody tr');
    expect((await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      '10 a U+0061 LATIN SMALL LETTER A \u0430 U+0430 CYRILLIC SMALL LETTER A, looks like a',
      '14 1 U+0031 DIGIT ONE l U+006C LATIN SMALL LETTER L',
    ]);
    expect(await compare.locator('mark.lookalike').count()).toBe(4);
    expectQuiet(seen);
  });
});
