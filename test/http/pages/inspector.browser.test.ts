// The inspector in a real browser: whole visits, with the outside world shut off and every complaint noted.

import type { BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { createRecord } from '../../../src/handle/record.ts';
import { SUCCESS } from '../../../src/handle/response-codes.ts';
import { decodeValues } from '../../../src/handle/value.ts';
import { graphiqlExamples } from '../../../src/http/pages/graphiql.ts';
import { expectQuiet, keepCopies, patience, useChromium, withoutChromium } from '../../support/chromium.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';

/** How long the page waits for the next key before it reads a name; for the directory it waits longer. */
const NAME_PAUSE_MS = 200;

const RUN = "document.documentElement.setAttribute('data-ran', '1')";
const HOSTILE = `<img src=x onerror="${RUN}"><script>${RUN}</script>`;
const TURNED = 'abc\u202Efdp.exe';

describe.skipIf(withoutChromium('the inspector in a browser'))('the inspector in a browser', () => {
  let sample: ListeningGateway;
  let fake: ListeningGateway;
  let failing = false;
  const open = useChromium();

  beforeAll(async () => {
    sample = await startGateway({ random: () => 0 });
    const records = {
      '10.5555/moody': async (handle: Parameters<typeof createRecord>[0]['handle']) => {
        if (failing) throw new GatewayError('UPSTREAM_TIMEOUT');
        const values = decodeValues([urlValue('https://example.org/well')]);
        return createRecord({ responseCode: SUCCESS, handle, values, fetchedAt: Date.now() });
      },
      '10.5555/hostile': [
        urlValue('javascript:document.documentElement.setAttribute("data-ran","1")'),
        urlValue(HOSTILE, { index: 2, type: HOSTILE }),
        urlValue(TURNED, { index: 3, type: 'DESC' }),
        urlValue('data:text/html,<script>alert(1)</script>', { index: 4 }),
        urlValue('https://example.org/"onmouseover="x', { index: 5, type: 'URL.X' }),
        {
          index: 6,
          type: '10320/loc',
          ttl: 60,
          data: {
            format: 'string',
            value: `<locations><location id="&lt;b&gt;" href="javascript:alert(1)" country="&lt;i&gt;" weight="1"/></locations>`,
          },
        },
      ],
    };
    fake = await startGateway({ directory: createFakeDirectory({ records }) });
    return async () => {
      await sample.close();
      await fake.close();
    };
  });

  const visit = (path = '/', profile?: BrowserContextOptions) => open(sample.url + path, profile);

  const field = (page: Page) => page.getByLabel('DOI, link, sentence or reference list');
  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const search = (page: Page) => new URL(page.url()).search;

  /** Sends a text off, which waits for no further key. */
  async function send(input: Locator, text: string): Promise<void> {
    await input.fill(text);
    await input.press('Enter');
  }

  it('is calm before anything is asked', async () => {
    const { page, seen } = await visit();
    await page.getByRole('heading', { level: 1, name: 'What is in a DOI?' }).waitFor();
    await page.getByRole('heading', { name: 'The name alone' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Compare with another DOI' }).count()).toBe(0);
    expectQuiet(seen);
  });

  it('tells of a name while it is typed, and keeps the address', async () => {
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

  /** What a request of the page asks for: `InspectName 10.1000/1`. */
  function asks(request: Request): string {
    const { query = '', variables } = (request.postDataJSON() ?? {}) as {
      query?: string;
      variables?: { input: string };
    };
    return `${/query (\w+)/.exec(query)?.[1] ?? 'nothing'} ${variables?.input ?? ''}`;
  }

  it('asks for the directory only of what stays', async () => {
    const { page, seen } = await visit('/', {});
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) asked.push(asks(request));
    });
    // The page's own time, so that a busy machine does not type more slowly than the page waits.
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
    expect(asked).toEqual([
      'InspectName 10.1000/1',
      'InspectName 10.1000/182',
      'InspectDirectory doi:10.1000/182',
      'InspectWork doi:10.1000/182',
    ]);
    expectQuiet(seen);
  });

  it('drops an answer that is out of date', async () => {
    const { page, seen } = await visit();
    const dropped: string[] = [];
    page.on('requestfailed', (request) => dropped.push(asks(request)));
    await page.route('**/graphql', async (route) => {
      // Never answered: only its being dropped ends it.
      if (asks(route.request()) !== 'InspectName 10.1000/1') await route.continue();
    });
    const first = page.waitForRequest((request) => asks(request) === 'InspectName 10.1000/1');
    await field(page).fill('10.1000/1');
    await first;
    await field(page).fill('10.1000/182');
    await section(page, 'Record').waitFor();
    expect(dropped).toEqual(['InspectName 10.1000/1']);
    expectQuiet(seen);
  });

  it('says what is wrong, and marks where', async () => {
    const { page, seen } = await visit('/?doi=10.1000/100%25zz%C3%A9');
    const problem = page.locator('#verdict');
    await problem.getByText('is not a percent sign and two hexadecimal digits').waitFor();
    expect(await problem.locator('.place > code').innerText()).toBe('10.1000/100%zzé');
    expect(await problem.locator('mark').innerText()).toBe('%');
    expect(await problem.locator('.place-words').innerText()).toBe('character 12, U+0025');
    expect(await field(page).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('status').innerText()).toContain('This is no DOI name.');
    expect(await section(page, 'Record').count()).toBe(0);

    await send(field(page), '10.1000/a\u00ADb');
    await problem.getByText('character 10, U+00AD').waitFor();
    expect(await problem.locator('mark').innerText()).toBe('U+00AD');

    await send(field(page), '10.1000/1');
    await section(page, 'Record').waitFor();
    expect(await field(page).getAttribute('aria-invalid')).toBeNull();
    expectQuiet(seen);
  });

  it('offers the name that was meant where one is not found', async () => {
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

  it('lists every form with its document, and copies each', async () => {
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

  it('selects the text to copy where the clipboard is out of reach', async () => {
    const { page, seen } = await visit('/?doi=10.1000/1');
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByText('11 rarer forms').click();
    await page.getByRole('button', { name: 'Copy info URI' }).click();
    await page.getByRole('status').getByText('info URI is selected.').waitFor();
    expect(await page.evaluate('String(getSelection())')).toBe('info:doi/10.1000/1');
    expectQuiet(seen);
  });

  it('shows the characters one by one, and marks what is not ASCII by sign and word', async () => {
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

  it('bounds what is long, and shows all of it on demand', async () => {
    const { page, seen } = await visit();
    await send(field(page), `10.1000/${'a'.repeat(7_000)}`);
    const cells = page.getByRole('list', { name: 'Characters of the name' }).getByRole('listitem');
    await expect.poll(() => cells.count(), patience).toBe(500);
    await section(page, 'Character by character').getByRole('button', { name: 'Show all 7,008' }).click();
    expect(await cells.count()).toBe(7_008);
    expect(search(page)).toBe('');
    expectQuiet(seen);
  });

  it('shows where a name leads for another reader, and the locations as a picture and a table', async () => {
    const { page, seen } = await visit('/?doi=10.123/456');
    const redirect = section(page, 'Where it leads');
    await redirect.getByText('Drawn by weight among 2 locations').waitFor();
    expect(await redirect.innerText()).toContain('HTTP 302 a temporary redirect');
    const places = section(page, 'Locations');
    await places.getByRole('img', { name: /Weights of the locations/ }).waitFor();
    expect((await places.locator('svg text').allTextContents()).join(' | ')).toBe(
      'GB | 0 · uk.example.com | weight 0 · not drawn | 1 · www1.example.com | weight 1 · chosen now · drawn in 50 % | 2 · www2.example.com | weight 1 · drawn in 50 %',
    );
    const british = places.getByRole('row').filter({ hasText: 'uk.example.com' });
    expect((await british.innerText()).replaceAll(/\s+/g, ' ')).toBe(
      '0 https://uk.example.com/ GB 0 everybody',
    );

    await redirect.getByLabel('is in the country').pressSequentially('gb');
    await redirect.getByText('The reader’s country (GB) leaves one location.').waitFor();
    await redirect.getByRole('link', { name: 'https://uk.example.com/' }).waitFor();
    expect(await british.innerText()).toContain('chosen now');
    expect(await page.evaluate('document.activeElement.name')).toBe('country');

    await redirect.getByLabel('asks for locatt').fill('id:2');
    await redirect.getByText('The attributes that were asked for leave one location.').waitFor();
    await redirect.getByRole('link', { name: 'https://www2.example.com/' }).waitFor();
    expectQuiet(seen);
  });

  it('draws the chain of aliases, to its end or into its loop', async () => {
    const { page, seen } = await visit('/?doi=10.5555/aliasurl');
    const chain = section(page, 'Aliases').getByRole('listitem');
    await chain.first().waitFor();
    expect((await chain.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'asked for 10.5555/aliasurl',
      'is an alias of 10.1000/1',
      'which leads to http://www.doi.org/index.html',
    ]);
    await chain.getByRole('link', { name: '10.1000/1' }).click();
    await page.getByText('Registered · 2 values').waitFor();
    expect(await section(page, 'Aliases').count()).toBe(0);

    await send(field(page), '10.5555/loop1');
    await chain.filter({ hasText: 'on without an end' }).waitFor();
    expect(await chain.count()).toBe(3);
    await section(page, 'Where it leads').getByText('Nowhere').waitFor();
    // Once in words of the page, once in those of the gateway.
    expect((await page.locator('main').innerText()).split('leads back to itself')).toHaveLength(3);
    expect(await page.locator('.glance').innerText()).not.toContain('not known');
    expect(await section(page, 'Locations').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expectQuiet(seen);
  });

  it('shows every format of a value, and who registered a name', async () => {
    const { page, seen } = await visit('/?doi=10.1021/jacs.5c01100');
    const record = section(page, 'Record');
    await record.getByText('Administered by 0.na/10.1021 at index 200').waitFor();
    await record.getByText(/^\d+ permissions/).click();
    await record.getByText('modify value', { exact: true }).waitFor();
    expect(await record.innerText()).toMatch(/Registered \(response code 1\)[\s\S]*Fresh until[\s\S]*1 day/);
    expect(await section(page, 'Registration agency').innerText()).toContain('https://www.crossref.org/');

    for (const [name, text] of [
      ['binary', 'AAEC//4='],
      ['vlist', '10.SERV/CROSSREF at 303'],
      ['site', 'Handle service site'],
      ['key', 'Public key'],
      ['ttl', 'until 1 Jan 2030, 00:00 UTC'],
    ] as const) {
      await send(field(page), `10.5555/${name}`);
      await record.getByText(text).first().waitFor();
    }
    expectQuiet(seen);
  });

  it('compares with another DOI, in words', async () => {
    const { page, seen } = await visit('/?doi=10.1000/abc');
    const compare = section(page, 'Compare with another DOI');
    const other = compare.getByLabel('The other one, in any form');
    await other.fill('doi:10.1000/ABC');
    await compare.getByRole('heading', { name: 'The same DOI, in another case' }).waitFor();
    await compare.getByText('would have called them two DOIs').waitFor();
    await compare.getByText('Both end at one handle').waitFor();
    await expect.poll(() => search(page), patience).toBe('?doi=10.1000/abc&with=doi:10.1000/ABC');

    await send(field(page), '10.5555/aliasurl');
    await send(other, '10.1000/1');
    await compare.getByRole('heading', { name: 'Two DOIs', exact: true }).waitFor();
    await compare.getByText('Both end at one handle').waitFor();

    await send(other, '10.1000/182');
    await compare.getByText('They end at two different handles').waitFor();
    await send(other, '10.1000/none');
    await compare.getByText('10.1000/none is not in the embedded directory').waitFor();
    expect(await compare.getByText('different handles').count()).toBe(0);
    await send(field(page), '10.1000/nothing');
    await compare.getByText('Neither of them is in the embedded directory').waitFor();

    await send(other, '10.1000');
    await compare.getByRole('heading', { name: 'Not comparable' }).waitFor();
    expectQuiet(seen);
  });

  it('comes back to what was sent off, by address, back and forward', async () => {
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

  it('tells a failure of the directory by itself, and recovers by "Try again"', async () => {
    failing = true;
    const { page, seen } = await open(`${fake.url}/?doi=10.5555/moody`);
    const failure = section(page, 'The directory did not answer');
    await failure.getByText('UPSTREAM_TIMEOUT').waitFor();
    expect(await section(page, 'Every form').getByRole('row').count()).toBe(7);
    expect(await section(page, 'Record').count()).toBe(0);
    failing = false;
    await failure.getByRole('button', { name: 'Try again' }).click();
    await section(page, 'Record').getByRole('link', { name: 'https://example.org/well' }).waitFor();
    expect(await failure.count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('In the directory');
    expectQuiet(seen);
  });

  it('tells when the gateway is out of reach or takes no more, and tries again', async () => {
    const { page, seen } = await visit('/');
    await page.route('**/graphql', (route) => route.abort());
    await send(field(page), '10.1000/1');
    const failure = section(page, 'No answer from the gateway');
    await failure.getByText('The gateway cannot be reached.').waitFor();
    await page.unroute('**/graphql');
    await failure.getByRole('button', { name: 'Try again' }).click();
    await section(page, 'Record').waitFor();

    await page.route('**/graphql', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }));
    await send(field(page), '10.1000/182');
    await failure.getByText('HTTP status 502').waitFor();
    await page.unroute('**/graphql');

    await page.evaluate("document.getElementById('doi').value = '10.1000/' + 'a'.repeat(1_100_000); 0");
    await field(page).press('Enter');
    await section(page, 'The gateway cannot take this').getByText('LIMIT_EXCEEDED').waitFor();
    expectQuiet(seen, /^Failed to load resource/);
  });

  it('opens each query in GraphiQL, in a tab of its own that leaves the others alone', async () => {
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

    // Where GraphiQL is open already, another fragment is no new page to the browser.
    await page.goto(`${sample.url}/graphql#query=${encodeURIComponent('query Carried { __typename }')}`);
    await editor.getByText('query Carried').waitFor();
    expect(await titles()).toEqual([...all, 'Carried']);
    expectQuiet(seen);
  });

  it('is walked through by keyboard alone', async () => {
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
    // The examples are gone.
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

  it('shows hostile strings as the text they are', async () => {
    const { page, seen } = await open(`${fake.url}/?doi=10.5555/hostile`);
    const record = section(page, 'Record');
    await record.getByText(HOSTILE).first().waitFor();
    expect(await record.getByText(HOSTILE).count()).toBeGreaterThanOrEqual(2);
    expect(await record.getByText('abc').innerText()).toBe('abcU+202Efdp.exe');
    const links = await page.evaluate("[...document.querySelectorAll('main a')].map((a) => a.protocol)");
    expect(new Set(links as string[])).toEqual(new Set(['http:', 'https:']));
    expect(await page.locator('main img, main script, main b, main i').count()).toBe(0);

    await send(field(page), `10.1000/${HOSTILE}`);
    await page.locator('.suffix').getByText(HOSTILE).waitFor();
    await send(field(page), `${HOSTILE}\u202E`);
    await section(page, 'This is no DOI name').waitFor();
    expect(await page.title()).not.toContain('\u202E');
    await section(page, 'Compare with another DOI').getByLabel('The other one').fill(HOSTILE);
    await section(page, 'Compare with another DOI')
      .getByRole('heading', { name: 'Not comparable' })
      .waitFor();
    await page.goto(`${fake.url}/?doi=${encodeURIComponent(`10.1000/"><script>${RUN}</script>`)}`);
    await section(page, 'Every form').waitFor();
    expect(await page.evaluate("document.documentElement.hasAttribute('data-ran')")).toBe(false);
    expectQuiet(seen);
  });
});
