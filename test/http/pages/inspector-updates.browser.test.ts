// The inspector shows the notices and related works of a work.

import { beforeAll, describe, expect, it } from 'vitest';
import type { CslItem, WorkHistory } from '../../../src/works/work.ts';
import { violationsInEveryLook } from '../../support/accessibility.ts';
import { expectQuiet, useChromium, withoutChromium } from '../../support/chromium.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { pathWith, untilAnnounced } from './inspector-page.ts';

const RUN = "document.documentElement.setAttribute('data-ran', '1')";
const PAPER: CslItem = { title: 'H<sub>2</sub>O in <i>E. coli</i>', author: [{ family: 'Person' }] };
const HOSTILE: CslItem = {
  title: `<script>${RUN}</script><img src=x onerror="${RUN}">&lt;b onclick="${RUN}"&gt;abc\u202Efdp.exe`,
  author: [{ literal: `<img src=x onerror="${RUN}">` }],
  publisher: `<script>${RUN}</script>`,
};

const RETRACTED: WorkHistory = {
  updates: {
    outcome: 'RETRACTED',
    notices: [
      {
        kind: 'RETRACTION',
        type: 'retraction',
        doi: '10.5555/notice',
        date: { year: 2021, month: 3, day: 2, text: '2021-03-02' },
        sources: ['publisher', 'retraction-watch'],
        recordIds: ['1'],
      },
      {
        kind: 'CORRECTION',
        type: 'correction',
        doi: '10.5555/Retracted',
        date: null,
        sources: [],
        recordIds: [],
      },
    ],
    noticeOf: [],
  },
  relations: [
    {
      kind: 'HAS_PREPRINT',
      type: 'has-preprint',
      identifier: '10.5555/preprint',
      identifierType: 'doi',
      assertedBy: null,
    },
    {
      kind: 'HAS_PREPRINT',
      type: 'has-preprint',
      identifier: 'arXiv:2101.00001',
      identifierType: 'arXiv',
      assertedBy: null,
    },
    { kind: 'OTHER', type: 'x', identifier: '10.5555/other', identifierType: 'doi', assertedBy: null },
  ],
};
const HOSTILE_HISTORY: WorkHistory = {
  updates: {
    outcome: 'UPDATED',
    notices: [
      {
        kind: 'OTHER',
        type: `<img src=x onerror="${RUN}">`,
        doi: null,
        date: null,
        sources: ['constructor', `<b>${RUN}</b>`],
        recordIds: [],
      },
    ],
    noticeOf: [],
  },
  relations: [
    {
      kind: 'HAS_PREPRINT',
      type: 'x',
      identifier: `javascript:${RUN}`,
      identifierType: 'URL',
      assertedBy: null,
    },
  ],
};
const NONE_RECORDED: WorkHistory = {
  updates: { outcome: 'NONE_RECORDED', notices: [], noticeOf: [] },
  relations: [],
};

describe.skipIf(withoutChromium('notices in the inspector'))('notices in the inspector', () => {
  const open = useChromium();
  let gateway: ListeningGateway;

  beforeAll(async () => {
    const names = ['retracted', 'none', 'off', 'aliased', 'hostile'].map((name) => `10.5555/${name}`);
    const directory = createFakeDirectory({
      records: Object.fromEntries(names.map((name) => [name, [urlValue('https://example.org/')]])),
      agencies: { '10.5555/off': { status: 'FOUND', agency: 'Crossref' } },
      histories: {
        '10.5555/retracted': RETRACTED,
        '10.5555/none': NONE_RECORDED,
        '10.5555/hostile': HOSTILE_HISTORY,
      },
      metadata: {
        ...Object.fromEntries(names.map((name) => [name, PAPER])),
        '10.5555/aliased': async () => PAPER,
        '10.5555/hostile': async (_, format) => (format.kind === 'csl' ? HOSTILE : `<script>${RUN}</script>`),
      },
    });
    gateway = await startGateway({ directory });
    return () => gateway.close();
  });

  const visit = (name: string) => open(gateway.url + pathWith(name));

  it('shows a retraction above the title, and links to the preprint', async () => {
    const { page, seen } = await visit('10.5555/retracted');
    const band = page.getByRole('note', { name: 'Notices about this work' });
    await band.waitFor();
    expect((await band.innerText()).split(/\n+/)).toEqual([
      'RETRACTED',
      'Retraction, 2021-03-02: 10.5555/notice, reported by the publisher and Retraction Watch',
      'Correction, in the work itself',
    ]);
    expect(await band.getByRole('link').getAttribute('href')).toBe('./?doi=doi:10.5555/notice');
    expect(
      await page.evaluate(
        "document.querySelector('.band').compareDocumentPosition(document.querySelector('.work-title'))",
      ),
    ).toBe(4);
    expect(await page.locator('.related').allInnerTexts()).toEqual([
      'Also as preprint: 10.5555/preprint, arXiv:2101.00001',
    ]);
    await untilAnnounced(page, 'Retracted: H2O in E. coli');
    expect(await page.getByText('Retractions and corrections').count()).toBe(0);
    expect(await violationsInEveryLook(page)).toEqual([]);
    expectQuiet(seen);
  });

  it.each([
    ['10.5555/none', 'none recorded by Crossref'],
    ['10.5555/off', 'not looked up by this gateway'],
    ['10.5555/aliased', 'reported for another DOI'],
  ])('shows what the gateway knows about retractions of a work without a notice: %s', async (name, words) => {
    const { page, seen } = await visit(name);
    await page.getByText(`Described by Crossref · Retractions and corrections: ${words}`).waitFor();
    expect(await page.locator('.band').count()).toBe(0);
    expectQuiet(seen);
  });

  it('shows hostile strings of an agency as text', async () => {
    const { page, seen } = await visit('10.5555/hostile');
    await page.locator('.work-title').getByText('U+202E').waitFor();
    await page.getByRole('button', { name: 'APA', exact: true }).click();
    await page.locator('.citation-text').getByText('<script>').waitFor();
    const elements = await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('.work-title *, .people *, .band *, .related *, .citation-text *'), ({ localName, attributes }) => [localName, ...Array.from(attributes, ({ name }) => name)].join(' '))",
    );
    expect(new Set(elements)).toEqual(new Set(['bdi dir', 'span class', 'code class', 'strong', 'ul', 'li']));
    await page.getByText(`Also as preprint: javascript:${RUN}`).waitFor();
    expect(await page.evaluate("document.documentElement.hasAttribute('data-ran')")).toBe(false);
    expectQuiet(seen);
  });
});
