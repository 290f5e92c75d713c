// Visits to the inspector in a browser: typing, history, failures of the gateway, GraphiQL, the keyboard.

import type { BrowserContextOptions, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphiqlExamples } from '../../../src/http/pages/graphiql.ts';
import { expectQuiet, patience, useChromium, withoutChromium } from '../../support/chromium.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { field, search, section, submit } from './inspector-page.ts';

/** The page looks up a name after this pause in typing. Before other look-ups, the pause is longer. */
const NAME_PAUSE_MS = 200;

describe.skipIf(withoutChromium('the inspector in a browser'))('the inspector in a browser', () => {
  const open = useChromium();
  let sample: ListeningGateway;

  beforeAll(async () => {
    sample = await startGateway({ random: () => 0 });
    return () => sample.close();
  });

  const visit = (path = '/', profile?: BrowserContextOptions) => open(sample.url + path, profile);

  it('shows its welcome before the first input', async () => {
    const { page, seen } = await visit();
    await page.getByRole('heading', { level: 1, name: 'What is in a DOI?' }).waitFor();
    await page.getByRole('heading', { name: 'The name alone' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Compare with another DOI' }).count()).toBe(0);
    expectQuiet(seen);
  });

  it('describes a name while a user types, and updates its address', async () => {
    const { page, seen } = await visit('/', {});
    const before = await page.evaluate('history.length');
    await field(page).pressSequentially('https://doi.org/10.1000/456%23789?type=URL#x', { delay: 5 });
    await page.getByRole('heading', { name: 'Read as a link to a DOI proxy' }).waitFor();
    const name = section(page, 'Read as a link to a DOI proxy');
    expect(await name.locator('.prefix').innerText()).toMatch(/^10\.1000\s+prefix$/);
    expect(await name.locator('.suffix').innerText()).toMatch(/^456#789\s+suffix$/);
    const facts = await name.locator('.facts').innerText();
    expect(facts.replaceAll(/\s+/g, ' ')).toBe(
      'Directory indicator 10 Registrant code 1000 Fragment of the link #x Asked of the proxy type=URL',
    );
    await name.getByText('Registered · 2 values').waitFor();
    expect(await name.getByRole('link', { name: 'https://www.example.org/hash' }).count()).toBe(1);
    await expect
      .poll(() => search(page), patience)
      .toBe('?doi=https://doi.org/10.1000/456%2523789%3Ftype%3DURL%23x');
    expect(await page.evaluate('history.length')).toBe(before);
    expect(await page.title()).toContain('10.1000/456');
    expectQuiet(seen);
  });

  /** The operation of a request and its input: `InspectName 10.1000/1`. */
  function operationOf(request: Request): string {
    const { query = '', variables } = (request.postDataJSON() ?? {}) as {
      query?: string;
      variables?: { input: string };
    };
    return `${/query (\w+)/.exec(query)?.[1] ?? 'nothing'} ${variables?.input ?? ''}`;
  }

  it('looks up a name only after a pause in typing', async () => {
    const { page, seen } = await visit('/', {});
    const operations: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) operations.push(operationOf(request));
    });
    // With a manual clock, even a busy machine types without a pause.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const type = async (text: string) => {
      for (const key of text) {
        await field(page).press(key);
        await page.clock.runFor(5);
      }
    };
    await type('10.1000/1');
    await page.clock.runFor(NAME_PAUSE_MS);
    await page.locator('.suffix').getByText('1', { exact: true }).waitFor();
    await page.clock.runFor(NAME_PAUSE_MS);
    await type('82');
    await page.clock.resume();
    await section(page, 'Record').waitFor();
    expect(operations).toEqual([
      'InspectName 10.1000/1',
      'InspectName 10.1000/182',
      'InspectDirectory doi:10.1000/182',
      'InspectWork doi:10.1000/182',
    ]);
    expectQuiet(seen);
  });

  it('aborts a request for a text that has changed', async () => {
    const { page, seen } = await visit();
    const dropped: string[] = [];
    page.on('requestfailed', (request) => dropped.push(operationOf(request)));
    await page.route('**/graphql', async (route) => {
      // The first request gets no response, so only an abort ends it.
      if (operationOf(route.request()) !== 'InspectName 10.1000/1') await route.continue();
    });
    const first = page.waitForRequest((request) => operationOf(request) === 'InspectName 10.1000/1');
    await field(page).fill('10.1000/1');
    await first;
    await field(page).fill('10.1000/182');
    await section(page, 'Record').waitFor();
    expect(dropped).toEqual(['InspectName 10.1000/1']);
    expectQuiet(seen);
  });

  it('restores each submitted input from its address and from the history', async () => {
    const { page, seen } = await visit('/?doi=10.1000/a+b&with=10.1000/a%2Bb');
    await section(page, 'Compare with another DOI').getByRole('heading', { name: 'The same name' }).waitFor();
    expect(await field(page).inputValue()).toBe('10.1000/a+b');

    await field(page).fill('10.1000/1');
    await field(page).press('Enter');
    await section(page, 'Record').waitFor();
    await field(page).fill('10.1000/182');
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByText('http://www.doi.org/hb.html').first().waitFor();
    await page.goBack();
    await expect.poll(() => field(page).inputValue(), patience).toBe('10.1000/1');
    await page.getByText('http://www.doi.org/index.html').first().waitFor();
    await page.goBack();
    await expect.poll(() => field(page).inputValue(), patience).toBe('10.1000/a+b');
    await page.goForward();
    await page.goForward();
    await expect.poll(() => field(page).inputValue(), patience).toBe('10.1000/182');
    await page.getByRole('link', { name: 'DOI gateway' }).click();
    await page.getByRole('heading', { name: 'What the directory knows' }).waitFor();
    expect([search(page), await field(page).inputValue()]).toEqual(['', '']);
    expectQuiet(seen);
  });

  it('reports that the gateway fails or refuses a request, and recovers with "Try again"', async () => {
    const { page, seen } = await visit('/');
    await page.route('**/graphql', (route) => route.abort());
    await submit(field(page), '10.1000/1');
    const failure = section(page, 'No answer from the gateway');
    await failure.getByText('The gateway cannot be reached.').waitFor();
    await page.unroute('**/graphql');
    await failure.getByRole('button', { name: 'Try again' }).click();
    await section(page, 'Record').waitFor();

    await page.route('**/graphql', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }));
    await submit(field(page), '10.1000/182');
    await failure.getByText('HTTP status 502').waitFor();
    await page.unroute('**/graphql');

    await page.evaluate("document.getElementById('doi').value = '10.1000/' + 'a'.repeat(1_100_000); 0");
    await field(page).press('Enter');
    await section(page, 'The gateway cannot take this').getByText('LIMIT_EXCEEDED').waitFor();
    expectQuiet(seen, /^Failed to load resource/);
  });

  it('opens each query in a new tab of GraphiQL, and keeps the other tabs', async () => {
    const { page, seen } = await visit('/?doi=10.1000/182', {});
    const titles = () => page.getByRole('tab').allInnerTexts();
    const editor = page.locator('.graphiql-query-editor .view-lines');
    await page.getByRole('link', { name: 'Open in GraphiQL' }).first().click();
    await editor.getByText('query InspectDirectory').waitFor();
    await page.locator('.graphiql-editor-tool .view-lines').first().getByText('doi:10.1000/182').waitFor();
    const examples = graphiqlExamples.map(({ query }) => /query (\w+)/.exec(query)?.[1]);
    expect(await titles()).toEqual([...examples, 'InspectDirectory']);
    expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('InspectDirectory');
    expect(page.url()).toBe(`${sample.url}/graphql`);
    expect(await page.locator('.graphiql-response .view-lines').innerText()).not.toContain('record');
    await page.locator('.graphiql-execute-button').click();
    await page.locator('.graphiql-response .view-lines').getByText('SUCCESS').first().waitFor();

    await page.getByRole('tab', { name: 'SameName' }).click();
    await editor.getByText('query SameName').first().waitFor();
    await editor.getByText('Are two spellings').click();
    await page.keyboard.type('~');
    await expect.poll(() => page.evaluate("localStorage['graphiql:tabState']"), patience).toContain('~');
    await page.goto(`${sample.url}/?doi=10.1000/1`);
    await page.getByRole('link', { name: 'Open in GraphiQL' }).nth(1).click();
    await editor.getByText('query InspectName').waitFor();
    const all = [...examples, 'InspectDirectory', 'InspectName'];
    expect(await titles()).toEqual(all);
    await page.getByRole('tab', { name: 'SameName' }).click();
    await editor.getByText('~').waitFor();

    // A browser does not load a new page for another fragment.
    await page.goto(`${sample.url}/graphql#query=${encodeURIComponent('query Carried { __typename }')}`);
    await editor.getByText('query Carried').waitFor();
    expect(await titles()).toEqual([...all, 'Carried']);
    expectQuiet(seen);
  });

  it('can be used with the keyboard alone', async () => {
    const { page, seen } = await visit();
    const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.id');
    const walked: unknown[] = [];
    expect(await focused()).toBe('doi');
    for (const key of ['Shift+Tab', 'Shift+Tab', 'Tab', 'Tab']) {
      await page.keyboard.press(key);
      walked.push(await focused());
    }
    expect(walked).toEqual(['GraphiQL', 'DOI gateway', 'GraphiQL', 'doi']);
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      walked.push(await focused());
    }
    expect(walked.slice(4, 6)).toEqual(['Inspect', 'an article']);
    expect(walked.at(-1)).toBe('a slash too many');
    await page.keyboard.press('Enter');
    await page.getByText('Not in the embedded directory').first().waitFor();
    // The page has removed the examples.
    expect(await focused()).toBe('doi');
    for (const next of ['Inspect', 'Skip to where it leads', '10.1000/182']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(next);
    }
    const ring = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(ring).toBe('solid');
    await page.keyboard.press('Enter');
    await page.getByText('Registered · 2 values').waitFor();
    expect(await focused()).toBe('doi');
    expectQuiet(seen);
  });
});
