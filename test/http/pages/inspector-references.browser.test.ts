// The inspector finds the DOIs of references without a DOI, and shows what agrees and what differs.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsInEveryLook } from '../../support/accessibility.ts';
import { type AgencyApis, startAgencyApis } from '../../support/agencies/agency-apis.ts';
import { expectQuiet, keepCopies, patience, useChromium, withoutChromium } from '../../support/chromium.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { LINES, PUMPS, TWINS } from '../../support/reference-list.ts';
import { untilAnnounced } from './inspector-page.ts';

const MARKUP = `<img src=x onerror="document.documentElement.setAttribute('data-ran', '1')">`;

describe.skipIf(withoutChromium('references in the inspector'))('references without a DOI', () => {
  const open = useChromium();
  let gateway: ListeningGateway;
  let apis: AgencyApis;

  beforeAll(async () => {
    apis = await startAgencyApis({ works: [], searched: { crossref: [PUMPS, ...TWINS], datacite: [] } });
    gateway = await startGateway({}, { ...apis.env, CONTACT: 'operator@example.org' });
    return async () => {
      await gateway.close();
      await apis.close();
    };
  });

  const section = (page: Page) => page.locator('.without');
  const press = (page: Page, name: string) =>
    section(page).getByRole('button', { name, exact: true }).click();
  const rows = (page: Page) => page.locator('.lines > li');
  const note = (page: Page) => section(page).locator('.missing').first();
  const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

  async function visit(text: string, at = gateway) {
    const visited = await open('about:blank');
    // The test needs a new document, because the module remembers whether the gateway can search.
    await visited.page.goto(`${at.url}/?doi=${encodeURIComponent(text)}`);
    await section(visited.page).waitFor();
    return visited;
  }

  interface Search {
    readonly references: readonly string[];
  }
  /** Responds to searches in place of the gateway, and collects them. */
  async function replaceSearches(
    page: Page,
    respond: (search: Search, request: number) => object | Promise<object>,
  ) {
    const searches: Search[] = [];
    await page.route('**/graphql', async (route) => {
      const { query, variables } = route.request().postDataJSON();
      if (!query.includes('matchReferences')) return route.fallback();
      searches.push(variables);
      return route.fulfill({ json: await respond(variables, searches.length) }).catch(() => {});
    });
    return searches;
  }
  const nothing = { outcome: 'NOT_FOUND', doi: null, evidence: [], candidates: [], sources: ['Crossref'] };
  const busy = (at: number) => ({
    message: 'Busy.',
    path: ['matchReferences', at],
    extensions: { code: 'GATEWAY_BUSY', retryable: true, retryAfterSeconds: 1 },
  });
  const manyLines = (length: number) =>
    Array.from({ length }, (_, at) => `Person ${at}. A book of four words.`).join('\n');

  it('are searched, and each reference shows its outcome, its evidence and its candidates', async () => {
    const { page, seen } = await visit(LINES);
    const copied = await keepCopies(page);
    await press(page, 'Find their DOIs');
    await untilAnnounced(
      page,
      '4 of 4 references searched: 1 found, 1 with differences, 1 with several works, 1 not found.',
    );
    // The page has removed the button that had the focus.
    expect(await focused(page)).toBe('4 references without a DOI');
    expect(
      await section(page).getByText('The text was split into 4 references, one on each line.').count(),
    ).toBe(1);
    const texts = (await rows(page).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    const [found, differs, several, none] = texts;
    expect(found).toMatch(
      /✓\s*Found\s+Reliability of hydraulic pumps in alpine villages \(2012\)\s+10\.5555\/pumps/,
    );
    expect(found).toContain('✓ title agrees');
    expect(differs).toContain('≠ year differs: the reference has 1999, the work 2012');
    expect(several).toContain('Several works fit: choose one 3 works compared');
    expect(none).toContain('Not found at Crossref or DataCite. This does not mean that there is none.');

    await section(page).locator('summary').first().press('Enter');
    await expect
      .poll(() => section(page).locator('details[open] .inspect').count(), patience)
      .toBeGreaterThan(0);
    expect(await violationsInEveryLook(page)).toEqual([]);

    await press(page, `Copy DOI ${PUMPS.DOI}`);
    expect(await copied()).toBe(PUMPS.DOI);
    await press(page, `Copy BibTeX of ${PUMPS.DOI}`);
    await expect.poll(copied, patience).toMatch(/^@article\{[\s\S]*hydraulic pumps/);
    await press(page, 'Copy all found');
    await expect.poll(copied, patience).toBe(`${PUMPS.DOI}\n`);
    expect(apis.breaches).toEqual([]);
    expectQuiet(seen);
  });

  it('can be a single reference on one line or on two lines', async () => {
    const [, pumps = ''] = LINES.split('\n');
    for (const text of [pumps, pumps.replace('alpine ', 'alpine\n')]) {
      const { page, seen } = await visit(text);
      await untilAnnounced(page, 'There is no DOI name in this text. 1 reference without a DOI.');
      await section(page).getByText('The text was read as one reference.').waitFor();
      expect(await violationsInEveryLook(page)).toEqual([]);
      await press(page, 'Find its DOI');
      await rows(page).getByText(PUMPS.DOI, { exact: true }).first().waitFor();
      await note(page).getByText('1 of 1 reference searched: 1 found.').waitFor();
      expectQuiet(seen);
    }
  });

  it('can be wrapped references or records, and the page searches the words of each reference once', async () => {
    const text = `[1] Berger A. Reliability of hydraulic pumps
in alpine villages. 2012.
[2] Doe J. A named work. https://doi.org/10.1000/1
[3] Summary`;
    const record =
      '@book{a,\n  title = {{Bells} of the coast},\n  author = {Marsh, Paula},\n  year = 1977\n}';
    for (const [pasted, split, button, searched, last] of [
      [
        text,
        'The text was split into 3 references, numbered. 1 of them has a DOI.',
        'Find their DOIs',
        'Berger A. Reliability of hydraulic pumps in alpine villages. 2012.',
        'Line 4: Summary Not searched: a reference has at least four words.',
      ],
      [
        record,
        'The text was read as one reference.',
        'Find its DOI',
        'Marsh, P. (1977). Bells of the coast.',
        'Line 1: Marsh, P. (1977). Bells of the coast.',
      ],
    ] as const) {
      const { page, seen } = await visit(pasted);
      const searches = await replaceSearches(page, () => ({ data: { matchReferences: [nothing] } }));
      await section(page).getByText(split).waitFor();
      await press(page, button);
      await note(page).getByText('1 not found').waitFor();
      expect(searches).toEqual([{ references: [searched] }]);
      expect((await rows(page).last().innerText()).replaceAll(/\s+/g, ' ')).toContain(last);
      expectQuiet(seen);
    }
  });

  it('are not offered if the splitter does not load, and the page works without it', async () => {
    const { page, seen } = await open('about:blank');
    await page.route('**/references-in-words-*.js', (route) => route.abort());
    await page.goto(`${gateway.url}/?doi=${encodeURIComponent(LINES)}`);
    const status = page.getByRole('status').getByText('There is no DOI name in this text.', { exact: true });
    await status.waitFor({ state: 'attached' });
    expect(await section(page).count()).toBe(0);
    expectQuiet(seen, /ERR_FAILED/);
  });

  it('are searched again after the wait that a busy gateway states, and foreign text is not markup', async () => {
    const { page, seen } = await visit(manyLines(7));
    const title = { detail: 'TITLE', verdict: 'DIFFERS', inReference: MARKUP, inWork: `${MARKUP}\u202E` };
    const match = {
      ...nothing,
      outcome: 'DIFFERS',
      doi: { id: 'doi:10.1/a', name: '10.1/a' },
      evidence: [title],
    };
    const searches = await replaceSearches(page, ({ references }, request) =>
      request === 1
        ? {
            data: { matchReferences: references.map((_, at) => (at < 2 ? null : match)) },
            errors: [busy(0), busy(1)],
          }
        : { data: { matchReferences: references.map(() => match) } },
    );
    await press(page, 'Find their DOIs');
    await note(page).getByText('The gateway is busy. The search goes on in 1 second.').waitFor();
    await note(page).getByText('7 of 7 references searched: 0 found, 7 with differences.').waitFor();
    expect(searches.map(({ references }) => references.map((text) => text.split('.')[0]))).toEqual([
      ['Person 0', 'Person 1', 'Person 2', 'Person 3', 'Person 4'],
      ['Person 0', 'Person 1', 'Person 5', 'Person 6'],
    ]);
    expect(await rows(page).locator('img').count()).toBe(0);
    expect(await page.evaluate("document.documentElement.hasAttribute('data-ran')")).toBe(false);
    expectQuiet(seen);
  });

  it('have a search that a button stops and continues, and the button keeps the focus', async () => {
    const { page, seen } = await visit(manyLines(200));
    let isHeld = true;
    const searches = await replaceSearches(page, ({ references }, request) =>
      request === 2 && isHeld
        ? new Promise(() => {})
        : { data: { matchReferences: references.map(() => nothing) } },
    );
    expect(await rows(page).count()).toBe(20);
    await press(page, 'Find their DOIs');
    await rows(page).nth(5).getByText('searching …').waitFor();
    await press(page, 'Stop');
    await note(page).getByText('5 of 200 references searched: 0 found, 5 not found.').waitFor();
    expect(await rows(page).getByText('searching …').count()).toBe(0);
    expect(await focused(page)).toBe('Continue');
    isHeld = false;
    await press(page, 'Continue');
    await note(page).getByText('200 of 200 references searched: 0 found, 200 not found.').waitFor();
    expect(await rows(page).count()).toBe(200);
    expect(searches).toHaveLength(41);
    expectQuiet(seen);
  });

  it('show that a search failed, and are searched again with "Try again"', async () => {
    const { page, seen } = await visit(manyLines(2));
    const error = { ...busy(1), extensions: { code: 'UPSTREAM_TIMEOUT', retryable: true } };
    await replaceSearches(page, ({ references }, request) =>
      request === 1
        ? { data: { matchReferences: [nothing, null] }, errors: [error] }
        : { data: { matchReferences: references.map(() => nothing) } },
    );
    await press(page, 'Find their DOIs');
    await rows(page).nth(1).getByText('The search failed: the service that describes it is slow.').waitFor();
    await note(page).getByText('1 of 2 references searched: 0 found, 1 not found, 1 failed.').waitFor();
    await press(page, 'Try again');
    await note(page).getByText('2 of 2 references searched: 0 found, 2 not found.').waitFor();
    expectQuiet(seen);
  });

  it('are not searched if the gateway has no search, and the page says this', async () => {
    const without = await startGateway();
    try {
      const { page, seen } = await visit(`${LINES}\nhttps://doi.org/10.1000/1`, without);
      await press(page, 'Find their DOIs');
      await note(page).getByText('This gateway does not search for the DOIs of references.').waitFor();
      expect(await section(page).getByRole('button', { name: 'Find their DOIs' }).count()).toBe(0);
      expect(await focused(page)).toBe('3 references without a DOI');
      expect(await violationsInEveryLook(page)).toEqual([]);
      expectQuiet(seen);
    } finally {
      await without.close();
    }
  });
});
