// The first visit of a user to the inspector: links with a query, names that the sample lacks, typing errors.

import { beforeAll, describe, expect, it } from 'vitest';
import { expectQuiet, patience, useChromium, withoutChromium } from '../../support/chromium.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { field, pathWith, section, statusLine, submit, untilAnnounced } from './inspector-page.ts';

describe.skipIf(withoutChromium('a first visit to the inspector'))('a first visit to the inspector', () => {
  const open = useChromium();
  let sample: ListeningGateway;
  let proxy: ListeningGateway;

  beforeAll(async () => {
    sample = await startGateway({ random: () => 0 });
    const fake = createFakeDirectory();
    const description = { ...fake.description, kind: 'PROXY', records: null } as const;
    proxy = await startGateway({ directory: { ...fake, description } });
    return async () => {
      await sample.close();
      await proxy.close();
    };
  });

  const visit = (path = '/') => open(sample.url + path);

  it('shows the redirect of a pasted link, and a new redirect if a user changes the fields', async () => {
    const { page, seen } = await visit(pathWith('https://doi.org/10.5555/loc?locatt=id:0'));
    const redirect = section(page, 'Where it leads');
    await redirect.getByRole('link', { name: 'https://example.org/uk' }).waitFor();
    await page.locator('.glance').getByRole('link', { name: 'https://example.org/uk' }).waitFor();
    const locatt = redirect.getByLabel('asks for locatt');
    expect(await locatt.inputValue()).toBe('id:0');
    await locatt.fill('id:1');
    await expect.poll(() => redirect.locator('.target').innerText(), patience).not.toContain('/uk');

    await submit(field(page), 'https://doi.org/10.5555/loc?country=gb&urlappend=%3Fp=2');
    await redirect.getByText('The reader’s country (GB)').waitFor();
    await redirect.getByText('The link asks to append something to the target.').waitFor();
    await redirect.getByRole('link', { name: 'https://example.org/uk?p=2' }).waitFor();
    expect([await redirect.getByLabel('is in the country').inputValue(), await locatt.inputValue()]).toEqual([
      'gb',
      '',
    ]);

    await submit(field(page), '10.5555/loc');
    await expect.poll(() => redirect.getByLabel('is in the country').inputValue(), patience).toBe('');
    expectQuiet(seen);
  });

  it('reports that a link makes the proxy show a page instead of a redirect', async () => {
    const { page, seen } = await visit(pathWith('https://doi.org/10.1000/182?noredirect'));
    await section(page, 'Where it leads').getByText('The link asks the proxy to show the record').waitFor();
    await page.locator('.glance').getByText('the proxy’s own page with the record').waitFor();
    await submit(field(page), 'https://doi.org/10.5555/loc?action=showurls');
    await page.locator('.glance').getByText('the proxy’s own page with the locations').waitFor();
    expectQuiet(seen);
  });

  it('does not call a name unregistered if only the sample lacks the name', async () => {
    const { page, seen } = await visit(pathWith('10.1038/nature12373'));
    await page.getByText('50 records held in memory, not the live DOI system.').waitFor();
    await page.locator('.standing.elsewhere').getByText('Not in the embedded directory').waitFor();
    await section(page, 'Registration agency').getByText('its agency is not known here').waitFor();
    expect(await section(page, 'Registration agency').locator('p').count()).toBe(1);
    const text = await page.locator('main').innerText();
    expect(text).not.toMatch(/not registered|nobody registered|nowhere/i);
    expect(await page.locator('.absent').count()).toBe(0);
    expect(await statusLine(page).innerText()).toContain('Not in the embedded directory');
    expectQuiet(seen);
  });

  it('calls a name unregistered if a DOI proxy does not find the name', async () => {
    const { page, seen } = await open(proxy.url + pathWith('10.1038/nature12373'));
    await page.locator('.standing.absent').getByText('Not registered').waitFor();
    await section(page, 'Registration agency').getByText('This name is not registered.').waitFor();
    expect(await page.getByText('sample').count()).toBe(0);
    expectQuiet(seen);
  });

  it('explains that a name is too long, without "Try again"', async () => {
    const { page, seen } = await visit();
    await submit(field(page), `10.1000/${'a'.repeat(60_000)}`);
    const failure = section(page, 'Too much to ask of the directory');
    await failure.getByText('LIMIT_EXCEEDED').waitFor();
    await failure.getByText('The operation costs').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    // Chromium reports every 400 in its console.
    expectQuiet(seen, /^Failed to load resource/);
  });

  it.each([
    ['https://pubs.acs.org/doi/10.1021/jacs.5c01100', 'Did you mean', '10.1021/jacs.5c01100'],
    ['See https://doi.org/10.1000/182).', 'Did you mean', '10.1000/182'],
    ['10/p54k', 'This shortDOI stands for', '10.1021/JACS.5C01100'],
  ])('suggests the DOI in %j', async (text, words, name) => {
    const { page, seen } = await visit(pathWith(text));
    const heading = page.getByRole('heading', { level: 2, name: `${words} ${name}` });
    await heading.waitFor();
    await expect.poll(() => statusLine(page).innerText(), patience).toContain(`${words} ${name}`);
    expect(await page.locator('.problem').count()).toBe(0);
    await heading.getByRole('link', { name }).click();
    await section(page, 'Record').waitFor();
    expect(await field(page).inputValue()).toBe(`doi:${name}`);
    expectQuiet(seen);
  });

  it.each([
    ['978-3-16-148410-0', 'It looks like an ISBN, which', ['https://openlibrary.org/isbn/9783161484100']],
    [
      'PMID: 12345678',
      'It looks like a PubMed identifier, which',
      ['https://pubmed.ncbi.nlm.nih.gov/12345678/'],
    ],
    ['0000-0002-1825-0097', 'It looks like an ORCID iD.', []],
  ])('names the kind of %j, and links to a page that resolves it', async (text, words, links) => {
    const { page, seen } = await visit(pathWith(text));
    await page.locator('#verdict').getByText(words).waitFor();
    expect(await page.locator('#verdict a.outside').allInnerTexts()).toEqual(links);
    expectQuiet(seen);
  });

  it('suggests no name that is also invalid', async () => {
    const { page, seen } = await visit(pathWith('see 10.1000/\uE000'));
    await untilAnnounced(page, 'This is no DOI name.');
    expect(await page.locator('.suggestions, .offer').count()).toBe(0);
    expectQuiet(seen);
  });

  it('says which of two inputs is not a DOI name', async () => {
    const { page, seen } = await visit('/?doi=nonsense&with=10.1000/1');
    await section(page, 'Compare with another DOI').getByText('The first is not a DOI name.').waitFor();
    expectQuiet(seen);
  });

  it('keeps the second name of an address if the address has no first name', async () => {
    const { page, seen } = await visit('/?with=10.1000/1');
    const compare = section(page, 'Compare with another DOI');
    await compare.getByText('Paste the first one').waitFor();
    expect(await compare.getByLabel('The other one').inputValue()).toBe('10.1000/1');
    expect(await page.locator('#welcome').isVisible()).toBe(false);
    await field(page).fill('10.1000/1');
    await compare.getByRole('heading', { name: 'The same name' }).waitFor();
    expectQuiet(seen);
  });

  it('writes every name from left to right', async () => {
    const { page, seen } = await visit(pathWith('10.1000/\u05D0\u05D1\u200F\u05D2'));
    const place = page.locator('#verdict .place > code');
    await place.waitFor();
    const directions = "[...document.querySelectorAll('#doi, .place code, .place code > bdi')]";
    expect(
      await page.evaluate(`${directions}.map((element) => getComputedStyle(element).direction)`),
    ).toEqual(['ltr', 'ltr', 'ltr', 'ltr']);
    expectQuiet(seen);
  });

  it('has a link that skips to the redirect and keeps the address', async () => {
    const { page, seen } = await visit(pathWith('10.1000/182'));
    await section(page, 'Where it leads').waitFor();
    await page.getByRole('button', { name: 'Inspect' }).focus();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to where it leads' });
    expect(await skip.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect((await skip.boundingBox())?.width).toBeGreaterThan(100);
    const before = page.url();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Where it leads');
    expect(page.url()).toBe(before);
    expectQuiet(seen);
  });

  it('announces only a part of a long name', async () => {
    const { page, seen } = await visit(pathWith(`10.1000/${'a'.repeat(1_900)}`));
    await expect
      .poll(() => statusLine(page).textContent(), patience)
      .toContain('Not in the embedded directory');
    expect((await statusLine(page).textContent())?.length).toBeLessThan(150);
    expectQuiet(seen);
  });

  it('shows the record before the forms, also in the order of the keyboard', async () => {
    const { page, seen } = await visit(pathWith('10.1000/182'));
    await section(page, 'Record').waitFor();
    for (const width of [320, 700]) {
      await page.setViewportSize({ width, height: 800 });
      const top = async (name: string) => (await section(page, name).boundingBox())?.y ?? 0;
      expect(await top('Where it leads')).toBeLessThan(await top('Every form'));
    }
    const follows = `document.getElementById('directory').compareDocumentPosition(document.getElementById('computed'))`;
    expect(await page.evaluate(follows)).toBe(4);
    expectQuiet(seen);
  });

  it('has buttons with a visible edge if the browser forces its colours', async () => {
    const { page, seen } = await visit(pathWith('10.1000/182'));
    await section(page, 'Record').waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    const edges =
      "[...document.querySelectorAll('.field button')].map((b) => getComputedStyle(b).borderStyle)";
    expect(await page.evaluate(edges)).toEqual(['solid', 'solid']);
    expectQuiet(seen);
  });
});
