// <doi-link> in pages of another origin than the gateway's.

import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { query } from '../../examples/front-end/src/doi-link/query.ts';
import { violationsInEveryLook } from '../support/accessibility.ts';
import { expectQuiet, patience, useChromium, type Visit, withoutChromium } from '../support/chromium.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import {
  buildDoiLink,
  gate,
  type LinkedPage,
  type PlayedGateway,
  playGateway,
  serveLinkedPage,
} from './linked-page.ts';

const suite = '<doi-link> in a browser';

/** The rule in docs/clients.md, and a page in two colours. */
const CSS = `
doi-link[layout=row][gateway] { display: block; padding-block-end: 3em }
:root { color-scheme: light dark; font: 16px/1.6 sans-serif; background: Canvas; color: CanvasText }
`;

/** The texts of each element, and the accessible name of its link. */
const SHOWN = `[...document.querySelectorAll('doi-link')].map((host) => [
  ...[...host.shadowRoot.querySelectorAll('[part~=mark], [part~=card] > *')].map((node) => node.textContent),
  host.querySelector('a').ariaLabel ?? 'plain',
])`;

/** The marks whose middle is hidden or clipped. */
const HIDDEN_MARKS = `[...document.querySelectorAll('doi-link')].flatMap(({ shadowRoot }) =>
  [...shadowRoot.querySelectorAll('[part~=mark]')].filter((mark) => {
    const { x, y, width, height } = mark.getBoundingClientRect();
    return shadowRoot.elementFromPoint(x + width / 2, y + height / 2) !== mark;
  }).map((mark) => mark.textContent))`;

describe.skipIf(withoutChromium(suite))(suite, () => {
  const open = useChromium();
  let script: Uint8Array;
  let real: TestGateway;
  let gateway: PlayedGateway;
  let page: LinkedPage;

  beforeAll(async () => {
    script = await buildDoiLink();
    [real, gateway, page] = await Promise.all([
      createTestGateway(),
      playGateway(),
      serveLinkedPage(script, CSS),
    ]);
  });
  afterAll(() => Promise.all([real.close(), gateway.close(), page.close()]));
  beforeEach(() => {
    gateway.requests.length = 0;
    gateway.respond = async (request) => await real.app.fetch(request);
    Object.assign(page, { body: '', more: Promise.resolve(''), script: Promise.resolve() });
  });

  const link = (doi: string, attributes = '', url = gateway.url) =>
    `<doi-link gateway="${url}" ${attributes}><a href="https://doi.org/${doi}">${doi}</a></doi-link>`;
  const shown = (visited: Page) => visited.evaluate<string[][]>(SHOWN);
  const showing = (visited: Page) => expect.poll(() => shown(visited), patience);
  const add = (visited: Page, html: string) =>
    visited.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`);
  const inputsOf = () => gateway.requests.map(({ inputs }) => inputs);
  const rows = (dois: readonly unknown[], errors?: readonly unknown[]) =>
    Response.json({ data: { dois }, errors }, { headers: { 'access-control-allow-origin': '*' } });
  const row = (parts: object) => ({
    url: 'https://doi.org/10.5555/1',
    whichRa: { status: 'FOUND', agency: { name: 'Crossref' } },
    metadata: { title: 'A title' },
    updates: { outcome: 'NONE_RECORDED', source: 'Crossref', notices: [] },
    ...parts,
  });
  /** Does not wait for the script. */
  async function visit(body: string): Promise<Visit> {
    page.body = body;
    const visited = await open('about:blank');
    await visited.page.goto(page.url, { waitUntil: 'commit' });
    return visited;
  }

  it('has at most 6 kB, minified and gzipped, and does nothing outside a browser', async () => {
    const bytes = gzipSync(script, { level: 9 }).length;
    expect(bytes).toBeLessThanOrEqual(6000);
    const module = Buffer.from(script).toString('base64');
    expect(Object.keys(await import(`data:text/javascript;base64,${module}`))).toEqual(['DoiLink']);
  });

  it('selects so few fields that one operation can have 1,000 DOIs', async () => {
    const inputs = Array.from(
      { length: 1000 },
      (_, number) => `https://doi.org/10.5555/a-name-of-usual-length.${number}`,
    );
    expect((await real.query(query, { inputs })).errors).toBeUndefined();
  });

  it('sends one request, joins errors to rows, marks a retraction, and shifts no layout', async () => {
    const released = gate();
    const responded = gate();
    page.script = released.opened;
    gateway.respond = async (request) => {
      await responded.opened;
      return await real.app.fetch(request);
    };
    const { page: visited, seen } = await visit(`<main><h1>References</h1>
      <p>As ${link('10.5555/invented.retracted')} says, and ${link('10.5555/invented.article')} does not, text flows on.</p>
      <ol>${['10.5555/invented.retracted', '10.5438/bv9z-dc66', '10.5555/absent', '10.1000/']
        .map((doi) => `<li>${link(doi, 'layout="row"')}</li>`)
        .join('')}
      <li><doi-link layout="row"><a href="https://doi.org/10.1000/182">10.1000/182</a></doi-link></li></ol>
      <p>The end.</p></main>`);
    await visited.getByText('The end.').waitFor();
    const frame = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))';
    await visited.evaluate(`globalThis.shift = 0; ${frame}.then(() => new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shift += value;
    }).observe({ type: 'layout-shift', buffered: true }))`);
    await visited.evaluate(frame);
    released.open();
    await expect.poll(() => gateway.requests.length, patience).toBe(1);
    await visited.evaluate(frame);
    responded.open();

    const retracted = [
      'Retracted',
      'Invented pottery never cracks',
      'Retracted · Crossref · notice of 2021-03-02',
      '10.5555/invented.retracted, Retracted: Invented pottery never cracks',
    ];
    await showing(visited).toEqual([
      retracted,
      [
        'Corrected',
        'Cracks in invented pottery',
        'Corrected · Crossref · notice of 2020-09-14',
        '10.5555/invented.article, Corrected: Cracks in invented pottery',
      ],
      retracted,
      [
        'Tracking the Growth of the PID Graph',
        'DataCite · retractions: not reported by the embedded directory',
        '10.5438/bv9z-dc66, Tracking the Growth of the PID Graph',
      ],
      ['Not found', 'plain'],
      ['Not a DOI', 'plain'],
      ['plain'],
    ]);
    expect(inputsOf()).toEqual([
      [
        '10.5555/invented.retracted',
        '10.5555/invented.article',
        '10.5438/bv9z-dc66',
        '10.5555/absent',
        '10.1000/',
      ].map((doi) => `https://doi.org/${doi}`),
    ]);
    expect(gateway.requests[0]?.method).toBe('GET');
    const notices = visited.getByRole('link', { name: 'Retracted: notice' });
    expect(await notices.count()).toBe(2);
    for (const notice of await notices.all()) {
      expect(await notice.getAttribute('href')).toBe('https://doi.org/10.5555/invented.notice');
    }
    const colours =
      "[...document.querySelectorAll('doi-link')].flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll('[part~=mark]')].map(({ part }) => part.value))";
    expect(await visited.evaluate(colours)).toEqual(['mark grave', 'mark mild', 'mark grave']);
    expect(await visited.evaluate(HIDDEN_MARKS)).toEqual([]);
    await visited.evaluate(frame);
    expect(await visited.evaluate('shift')).toBe(0);
    expect(await violationsInEveryLook(visited)).toEqual([]);
    expectQuiet(seen);

    // The measurement notices a shift.
    await visited.evaluate(
      "document.querySelector('h1').insertAdjacentText('afterbegin', 'Many words. '.repeat(99))",
    );
    await expect.poll(() => visited.evaluate('shift'), patience).toBeGreaterThan(0);
  });

  it('waits for the parser, sends at most 1,000 inputs in a request, and no input twice', async () => {
    gateway.respond = async (request) =>
      request.method === 'OPTIONS'
        ? await real.app.fetch(request)
        : rows(
            gateway.requests
              .at(-1)
              ?.inputs.map((input) => row({ metadata: { title: `Title of ${input}` } })) ?? [],
          );
    const parsed = gate<string>();
    page.more = parsed.opened;
    const { page: visited, seen } = await visit(link('10.5555/1') + link('10.5555/1'));
    await visited.locator('doi-link:defined').first().waitFor({ state: 'attached' });
    parsed.open(link('10.5555/2'));
    await showing(visited).toContainEqual(expect.arrayContaining(['Title of https://doi.org/10.5555/2']));
    expect(inputsOf()).toEqual([['https://doi.org/10.5555/1', 'https://doi.org/10.5555/2']]);

    const titleOfLast = () =>
      visited.evaluate(
        "[...document.querySelectorAll('doi-link')].at(-1).shadowRoot.querySelector('[part=title]')?.textContent",
      );
    await add(visited, Array.from({ length: 1003 }, (_, number) => link(`10.5555/${number}`)).join(''));
    await expect.poll(titleOfLast, patience).toBe('Title of https://doi.org/10.5555/1002');
    const later = gateway.requests.slice(1).map(({ method, inputs }) => `${method} ${inputs.length}`);
    expect(later.sort()).toEqual(['GET 1', 'POST 1000']);
    await add(visited, link('10.5555/7'));
    await expect.poll(titleOfLast, patience).toBe('Title of https://doi.org/10.5555/7');
    expect(gateway.requests).toHaveLength(3);
    expectQuiet(seen);
  });

  it('stays a plain link if the gateway is down, invalid or hangs, or has no web address', async () => {
    const { page: visited, seen } = await open('about:blank', {});
    await visited.clock.install();
    const hanging = gate();
    const abort = gate();
    gateway.respond = async (request) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.has('html')) return new Response('<h1>Hello</h1>', rows([]));
      if (searchParams.has('other'))
        return rows([{ whichRa: 1, metadata: { title: 2 }, updates: { outcome: {} } }]);
      hanging.open();
      await abort.opened;
      return rows([row({})]);
    };
    page.body = [
      `${gateway.url}?html`,
      `${gateway.url}?other`,
      gateway.url,
      'http://127.0.0.1:1/',
      'javascript:1',
      '',
    ]
      .map((url) => link('10.5555/1', '', url))
      .join('');
    await visited.goto(page.url);
    await hanging.opened;
    const aborted = visited.waitForEvent(
      'requestfailed',
      (request) => request.failure()?.errorText === 'net::ERR_ABORTED',
    );
    await visited.clock.fastForward(20_000);
    await aborted;
    abort.open();
    expect(await shown(visited)).toEqual(Array.from({ length: 6 }, () => ['plain']));
    expect(gateway.requests).toHaveLength(3);
    expectQuiet(seen, /ERR_UNSAFE_PORT|ERR_CONNECTION_REFUSED/);
  });

  it('shows foreign markup as text, and retries an input once after `retryAfterSeconds`', async () => {
    const hostile = '<img src=x onerror="document.title = 1">';
    const notice = { kind: hostile, date: { text: hostile }, doi: { url: 'javascript:alert(1)' } };
    const parts = {
      whichRa: { status: 'FOUND', agency: { name: hostile } },
      metadata: { title: hostile },
      updates: { outcome: hostile, source: hostile, notices: [notice] },
    };
    const busy = {
      path: ['dois', 1, 'metadata'],
      extensions: { code: 'GATEWAY_BUSY', retryAfterSeconds: 3 },
    };
    gateway.respond = () =>
      gateway.requests.length === 1
        ? rows([row(parts), row({ metadata: null })], [busy])
        : rows([row({ metadata: null, updates: null })], [{ ...busy, path: ['dois', 0, 'metadata'] }]);
    const { page: visited, seen } = await open('about:blank', { viewport: { width: 320, height: 640 } });
    await visited.clock.install();
    page.body = `<p>Words before the link: ${link('10.5555/1')}${link('10.5555/2', 'layout="row"')}`;
    await visited.goto(page.url);
    await expect.poll(() => gateway.requests.length, patience).toBe(1);
    await expect
      .poll(async () => {
        await visited.clock.fastForward(3000);
        return await shown(visited);
      }, patience)
      .toEqual([
        [
          hostile,
          hostile,
          `${hostile} · ${hostile} · notice of ${hostile}`,
          `10.5555/1, ${hostile}: ${hostile}`,
        ],
        ['Crossref · retractions: not known', 'plain'],
      ]);
    await visited.clock.fastForward(60_000);
    expect(inputsOf().slice(1)).toEqual([['https://doi.org/10.5555/2']]);
    expect(await visited.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await visited.locator('img, doi-link a[href^=javascript]').count()).toBe(0);
    expectQuiet(seen);
  });

  it('shows a card on hover and focus until Escape, and updates with its link', async () => {
    const { page: visited, seen } = await visit(link('10.5555/invented.notice'));
    const card = visited.locator('[part=card]');
    const anchor = visited.locator('doi-link > a');
    await showing(visited).toEqual([expect.arrayContaining(['Retraction: Invented pottery never cracks'])]);
    expect(await card.isVisible()).toBe(false);
    await anchor.hover();
    await card.waitFor();
    await card.hover();
    await visited.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
    await visited.mouse.move(900, 600);
    // Another version of the script changes nothing.
    await visited.evaluate("import('/doi-link.js?another')");
    await visited.keyboard.press('Tab');
    await card.waitFor();

    const changed = gate();
    gateway.respond = () => changed.opened.then(() => rows([row({ metadata: { title: 'Another' } })]));
    await visited.evaluate("document.querySelector('doi-link > a').setAttribute('href', 'doi:10.5555/9')");
    expect(await shown(visited)).toEqual([['plain']]);
    expect(await card.isVisible()).toBe(false);
    changed.open();
    await showing(visited).toEqual([
      ['Another', 'Crossref · retractions: none recorded', expect.stringMatching(/Another$/)],
    ]);
    await visited.evaluate("document.querySelector('doi-link').setAttribute('gateway', '')");
    expect(await shown(visited)).toEqual([['plain']]);
    expectQuiet(seen);
  });
});
