// The inspector describes a name: problems, forms, characters, and a comparison with another name.

import { beforeAll, describe, expect, it } from 'vitest';
import { expectQuiet, keepCopies, patience, useChromium, withoutChromium } from '../../support/chromium.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { field, search, section, submit } from './inspector-page.ts';

describe.skipIf(withoutChromium('a name in the inspector'))('a name in the inspector', () => {
  const open = useChromium();
  let sample: ListeningGateway;

  beforeAll(async () => {
    sample = await startGateway({ random: () => 0 });
    return () => sample.close();
  });

  const visit = (path = '/') => open(sample.url + path);

  it('explains an invalid input, and marks the position', async () => {
    const { page, seen } = await visit('/?doi=10.1000/100%25zz%C3%A9');
    const problem = page.locator('#verdict');
    await problem.getByText('is not a percent sign and two hexadecimal digits').waitFor();
    expect(await problem.locator('.place > code').innerText()).toBe('10.1000/100%zzé');
    expect(await problem.locator('mark').innerText()).toBe('%');
    expect(await problem.locator('.place-words').innerText()).toBe('character 12, U+0025');
    expect(await field(page).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('status').innerText()).toContain('This is no DOI name.');
    expect(await section(page, 'Record').count()).toBe(0);

    await submit(field(page), '10.1000/a\u00ADb');
    await problem.getByText('character 10, U+00AD').waitFor();
    expect(await problem.locator('mark').innerText()).toBe('U+00AD');

    await submit(field(page), '10.1000/1');
    await section(page, 'Record').waitFor();
    expect(await field(page).getAttribute('aria-invalid')).toBeNull();
    expectQuiet(seen);
  });

  it('suggests a registered name for a name that is not found', async () => {
    const { page, seen } = await visit('/?doi=10.1000/182/');
    await page.getByText('Not in the embedded directory').first().waitFor();
    expect(await page.getByRole('heading', { name: 'A legal name, with 1 warning' }).count()).toBe(1);
    await page.locator('.suggestions').getByRole('link', { name: '10.1000/182' }).click();
    await page.getByText('Registered · 2 values').waitFor();
    expect(search(page)).toBe('?doi=doi:10.1000/182');
    expect(await field(page).inputValue()).toBe('doi:10.1000/182');
    expect(await page.evaluate('document.activeElement.id')).toBe('doi');
    await page.goBack();
    await page.getByText('Not in the embedded directory').first().waitFor();
    expectQuiet(seen);
  });

  it('lists every form with its document, and copies a form', async () => {
    const { page, seen } = await visit('/?doi=10.1000/456%2523789');
    const copied = await keepCopies(page);
    const forms = section(page, 'Every form');
    const rows = forms.getByRole('row');
    // Each of the two tables has a head.
    await expect.poll(() => rows.count(), patience).toBe(1 + 6);
    const rare = forms.locator('summary');
    expect(await rare.innerText()).toBe('11 rarer forms');
    await rare.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count(), patience).toBe(1 + 6 + 1 + 11);
    await rows.getByText('Old link (dx.doi.org)').waitFor();
    const urn = rows.filter({ has: page.getByRole('rowheader', { name: /^URN\s*DOI Handbook/ }) });
    expect(await urn.getByRole('cell').first().innerText()).toBe('urn:doi:10.1000:456%23789');
    await urn.getByRole('button', { name: 'Copy URN', exact: true }).click();
    await page.getByRole('status').getByText('Copied: URN.').waitFor();
    expect(await copied()).toBe('urn:doi:10.1000:456%23789');
    expect(await urn.getByRole('button').innerText()).toBe('Copied');
    expectQuiet(seen);
  });

  it('selects the text to copy if there is no clipboard', async () => {
    const { page, seen } = await visit('/?doi=10.1000/1');
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByText('11 rarer forms').click();
    await page.getByRole('button', { name: 'Copy info URI' }).click();
    await page.getByRole('status').getByText('info URI is selected.').waitFor();
    expect(await page.evaluate('String(getSelection())')).toBe('info:doi/10.1000/1');
    expectQuiet(seen);
  });

  it('shows each character, and marks characters outside ASCII by a sign and in words', async () => {
    const { page, seen } = await visit('/?doi=10.1000/%C3%A1a%CC%81%20b');
    const cells = page.getByRole('list', { name: 'Characters of the name' }).getByRole('listitem');
    await expect.poll(() => cells.count(), patience).toBe(13);
    const texts = (await cells.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(texts.slice(7)).toEqual([
      '/ 002F',
      'á 00E1 ◆ not ASCII latin small letter a with acute',
      'a 0061',
      '◌\u0301 0301 ◌ combining mark, not ASCII combining acute accent',
      '␣ 0020 ␣ space',
      'b 0062',
    ]);
    expectQuiet(seen);
  });

  it('shows a part of a long name, and the whole name on demand', async () => {
    const { page, seen } = await visit();
    await submit(field(page), `10.1000/${'a'.repeat(7_000)}`);
    const cells = page.getByRole('list', { name: 'Characters of the name' }).getByRole('listitem');
    await expect.poll(() => cells.count(), patience).toBe(500);
    await section(page, 'Character by character').getByRole('button', { name: 'Show all 7,008' }).click();
    expect(await cells.count()).toBe(7_008);
    expect(search(page)).toBe('');
    expectQuiet(seen);
  });

  it('compares two DOIs in words', async () => {
    const { page, seen } = await visit('/?doi=10.1000/abc');
    const compare = section(page, 'Compare with another DOI');
    const other = compare.getByLabel('The other one, in any form');
    await other.fill('doi:10.1000/ABC');
    await compare.getByRole('heading', { name: 'The same DOI, in another case' }).waitFor();
    await compare.getByText('would have called them two DOIs').waitFor();
    await compare.getByText('Both end at one handle').waitFor();
    await expect.poll(() => search(page), patience).toBe('?doi=10.1000/abc&with=doi:10.1000/ABC');

    await submit(field(page), '10.5555/aliasurl');
    await submit(other, '10.1000/1');
    await compare.getByRole('heading', { name: 'Two DOIs', exact: true }).waitFor();
    await compare.getByText('Both end at one handle').waitFor();

    await submit(other, '10.1000/182');
    await compare.getByText('They end at two different handles').waitFor();
    await submit(other, '10.1000/none');
    await compare.getByText('10.1000/none is not in the embedded directory').waitFor();
    expect(await compare.getByText('different handles').count()).toBe(0);
    await submit(field(page), '10.1000/nothing');
    await compare.getByText('Neither of them is in the embedded directory').waitFor();

    await submit(other, '10.1000');
    await compare.getByRole('heading', { name: 'Not comparable' }).waitFor();
    expectQuiet(seen);
  });
});
