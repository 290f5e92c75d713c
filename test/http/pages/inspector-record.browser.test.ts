// The inspector shows a record: redirects, aliases, values, a failure of the directory, and hostile strings.

import { beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { createRecord } from '../../../src/handle/record.ts';
import { SUCCESS } from '../../../src/handle/response-codes.ts';
import { decodeValues } from '../../../src/handle/value.ts';
import { expectQuiet, useChromium, withoutChromium } from '../../support/chromium.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { field, section, submit } from './inspector-page.ts';

const RUN = "document.documentElement.setAttribute('data-ran', '1')";
const HOSTILE = `<img src=x onerror="${RUN}"><script>${RUN}</script>`;
const TURNED = 'abc\u202Efdp.exe';

describe.skipIf(withoutChromium('a record in the inspector'))('a record in the inspector', () => {
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

  const visit = (path: string) => open(sample.url + path);

  it('shows the redirect for another reader, and the locations as a picture and a table', async () => {
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
    await redirect.getByText('The requested attributes leave one location.').waitFor();
    await redirect.getByRole('link', { name: 'https://www2.example.com/' }).waitFor();
    expectQuiet(seen);
  });

  it('draws the chain of aliases to its end or its loop', async () => {
    const { page, seen } = await visit('/?doi=10.5555/aliasurl');
    const chain = section(page, 'Aliases').getByRole('listitem');
    await chain.first().waitFor();
    expect((await chain.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'requested 10.5555/aliasurl',
      'is an alias of 10.1000/1',
      'which leads to http://www.doi.org/index.html',
    ]);
    await chain.getByRole('link', { name: '10.1000/1' }).click();
    await page.getByText('Registered · 2 values').waitFor();
    expect(await section(page, 'Aliases').count()).toBe(0);

    await submit(field(page), '10.5555/loop1');
    await chain.filter({ hasText: 'on without an end' }).waitFor();
    expect(await chain.count()).toBe(3);
    await section(page, 'Where it leads').getByText('Nowhere').waitFor();
    // The page says it in its words, and in the words of the gateway.
    expect((await page.locator('main').innerText()).split('leads back to itself')).toHaveLength(3);
    expect(await page.locator('.glance').innerText()).not.toContain('not known');
    expect(await section(page, 'Locations').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expectQuiet(seen);
  });

  it('shows every format of a value, and the agency', async () => {
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
      await submit(field(page), `10.5555/${name}`);
      await record.getByText(text).first().waitFor();
    }
    expectQuiet(seen);
  });

  it('reports a failure of the directory, and recovers with "Try again"', async () => {
    failing = true;
    const { page, seen } = await open(`${fake.url}/?doi=10.5555/moody`);
    const failure = section(page, 'The directory did not respond');
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

  it('shows hostile strings as text', async () => {
    const { page, seen } = await open(`${fake.url}/?doi=10.5555/hostile`);
    const record = section(page, 'Record');
    await record.getByText(HOSTILE).first().waitFor();
    expect(await record.getByText(HOSTILE).count()).toBeGreaterThanOrEqual(2);
    expect(await record.getByText('abc').innerText()).toBe('abcU+202Efdp.exe');
    const links = await page.evaluate("[...document.querySelectorAll('main a')].map((a) => a.protocol)");
    expect(new Set(links as string[])).toEqual(new Set(['http:', 'https:']));
    expect(await page.locator('main img, main script, main b, main i').count()).toBe(0);

    await submit(field(page), `10.1000/${HOSTILE}`);
    await page.locator('.suffix').getByText(HOSTILE).waitFor();
    await submit(field(page), `${HOSTILE}\u202E`);
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
