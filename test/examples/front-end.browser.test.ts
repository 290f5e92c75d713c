// The rows of the front-end example, in a browser.

import { describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '../support/accessibility.ts';
import { expectQuiet, patience } from '../support/chromium.ts';
import {
  cells,
  countOf,
  fill,
  finished,
  lookUps,
  operations,
  useFrontEnd,
  withoutExample,
} from './front-end-stage.ts';
import { numbers } from './list-directory.ts';

const suite = 'the front-end example';

describe.skipIf(withoutExample(suite))(suite, () => {
  const stage = useFrontEnd();

  it('shows the names in the text while the user types, without a request', async () => {
    const { page, seen } = await stage.open();
    const list = page.getByLabel('DOIs, in any form, or a bibliography');
    const reading = page.locator('#list-reading');
    await list.fill('https://doi.org/10.1000/456%23789');
    await reading.getByText('The DOI name 10.1000/456#789.').waitFor();
    const height = (await reading.boundingBox())?.height;
    await list.fill('10.1000/182\n10.1000/');
    await reading.getByText('1 DOI name. Row 2: "10.1000/" has no suffix').waitFor();
    expect((await reading.boundingBox())?.height).toBe(height);
    expect(operations(seen)).toEqual([]);
  });

  it('has a row for each input, in order, and shows an error only in its row', async () => {
    const { page, seen } = await stage.submit(
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
    expect(lookUps(seen)).toHaveLength(1);
    expectQuiet(seen);
  });

  it('finds the DOIs of a bibliography, and has a row for each DOI as written', async () => {
    const { page, seen } = await stage.submit(
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
    expect(lookUps(seen).map(({ variables }) => variables.inputs)).toEqual([
      undefined,
      ['doi:10.5555/found', 'doi:10.5555/ab-sent'],
    ]);
    expectQuiet(seen);
  });

  it('shows a message for a text without DOIs, and for a text that is too large', async () => {
    const { page } = await stage.submit('Nothing here', 'Find the DOIs in it');
    await page.getByRole('status').getByText('There is no DOI in this text.').waitFor();
    await fill(page, 'word '.repeat(250_000), 'Find the DOIs in it');
    await page
      .getByRole('alert')
      .getByText(/MAX_BODY_BYTES|larger than|bytes/)
      .waitFor();
  });

  it('sends a long list in several requests, and groups the rows of a DOI from two requests', async () => {
    const names = numbers(1, 600).map((number) => `10.5555/absent-${number}`);
    const { page, seen } = await stage.submit([...names, '10.5555/ABSENT-1'].join('\n'));
    await finished(page);
    expect(lookUps(seen).map(({ variables }) => variables.inputs.length)).toEqual([500, 101]);
    expect(await countOf(page, 'absent')).toBe(601);
    expect((await cells(page, 601))[2]).toBe('10.5555/ABSENT-1\nGroup 1: same DOI as row 1');
  });

  it('shows texts of the directory as text, and links only http, https and ftp', async () => {
    const { page, seen } = await stage.open();
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
    await fill(page, '10.5555/0\n10.5555/1\n10.5555/2\n10.5555/3', 'Look up');
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

  it('has no accessibility faults', async () => {
    const { page } = await stage.submit(
      '10.5555/found\n10.5555/FOUND\n10.1000/\n10.5555/stale\n10.5555/broken\n10.5555/1',
    );
    await finished(page);
    expect(await violationsInEveryLook(page)).toEqual([]);
  });
});
