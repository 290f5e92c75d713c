// <doi-link> in a browser.

import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { query } from '../../examples/front-end/src/doi-link/query.ts';
import { violationsInEveryLook } from '../support/accessibility.ts';
import { expectQuiet, patience, withoutChromium } from '../support/chromium.ts';
import { row, rows, showing, shown, useDoiLink } from './doi-link-stage.ts';
import { gate } from './linked-page.ts';

const suite = '<doi-link>';

/** The marks whose middle is hidden or clipped. */
const HIDDEN_MARKS = `[...document.querySelectorAll('doi-link')].flatMap(({ shadowRoot }) =>
  [...shadowRoot.querySelectorAll('[part~=mark]')].filter((mark) => {
    const { x, y, width, height } = mark.getBoundingClientRect();
    return shadowRoot.elementFromPoint(x + width / 2, y + height / 2) !== mark;
  }).map((mark) => mark.textContent))`;

describe.skipIf(withoutChromium(suite))(suite, () => {
  const stage = useDoiLink();
  const add = (visited: Page, html: string) =>
    visited.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`);

  it('has at most 6 kB, minified and gzipped, and does nothing outside a browser', async () => {
    const bytes = gzipSync(stage.script, { level: 9 }).length;
    expect(bytes).toBeLessThanOrEqual(6000);
    const module = Buffer.from(stage.script).toString('base64');
    expect(Object.keys(await import(`data:text/javascript;base64,${module}`))).toEqual(['DoiLink']);
  });

  it('selects so few fields that one operation can have 1,000 DOIs', async () => {
    const inputs = Array.from(
      { length: 1000 },
      (_, number) => `https://doi.org/10.5555/a-name-of-usual-length.${number}`,
    );
    expect((await stage.real.query(query, { inputs })).errors).toBeUndefined();
  });

  it('sends one request, joins errors to rows, marks a retraction, and shifts no layout', async () => {
    const released = gate();
    const responded = gate();
    stage.page.script = released.opened;
    stage.gateway.respond = async (request) => {
      await responded.opened;
      return await stage.real.app.fetch(request);
    };
    const { page: visited, seen } = await stage.visit(`<main><h1>References</h1>
      <p>As ${stage.link('10.5555/invented.retracted')} says, and ${stage.link('10.5555/invented.article')} does not, text flows on.</p>
      <ol>${['10.5555/invented.retracted', '10.5438/bv9z-dc66', '10.5555/absent', '10.1000/']
        .map((doi) => `<li>${stage.link(doi, 'layout="row"')}</li>`)
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
    await expect.poll(() => stage.gateway.requests.length, patience).toBe(1);
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
    expect(stage.inputs()).toEqual([
      [
        '10.5555/invented.retracted',
        '10.5555/invented.article',
        '10.5438/bv9z-dc66',
        '10.5555/absent',
        '10.1000/',
      ].map((doi) => `https://doi.org/${doi}`),
    ]);
    expect(stage.gateway.requests[0]?.method).toBe('GET');
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
    stage.gateway.respond = async (request) =>
      request.method === 'OPTIONS'
        ? await stage.real.app.fetch(request)
        : rows(
            stage.gateway.requests
              .at(-1)
              ?.inputs.map((input) => row({ metadata: { title: `Title of ${input}` } })) ?? [],
          );
    const parsed = gate<string>();
    stage.page.more = parsed.opened;
    const { page: visited, seen } = await stage.visit(stage.link('10.5555/1') + stage.link('10.5555/1'));
    await visited.locator('doi-link:defined').first().waitFor({ state: 'attached' });
    parsed.open(stage.link('10.5555/2'));
    await showing(visited).toContainEqual(expect.arrayContaining(['Title of https://doi.org/10.5555/2']));
    expect(stage.inputs()).toEqual([['https://doi.org/10.5555/1', 'https://doi.org/10.5555/2']]);

    const titleOfLast = () =>
      visited.evaluate(
        "[...document.querySelectorAll('doi-link')].at(-1).shadowRoot.querySelector('[part=title]')?.textContent",
      );
    await add(visited, Array.from({ length: 1003 }, (_, number) => stage.link(`10.5555/${number}`)).join(''));
    await expect.poll(titleOfLast, patience).toBe('Title of https://doi.org/10.5555/1002');
    const later = stage.gateway.requests.slice(1).map(({ method, inputs }) => `${method} ${inputs.length}`);
    expect(later.sort()).toEqual(['GET 1', 'POST 1000']);
    await add(visited, stage.link('10.5555/7'));
    await expect.poll(titleOfLast, patience).toBe('Title of https://doi.org/10.5555/7');
    expect(stage.gateway.requests).toHaveLength(3);
    expectQuiet(seen);
  });

  it('shows a card on hover and focus until Escape, and updates with its link', async () => {
    const { page: visited, seen } = await stage.visit(stage.link('10.5555/invented.notice'));
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
    stage.gateway.respond = () => changed.opened.then(() => rows([row({ metadata: { title: 'Another' } })]));
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
