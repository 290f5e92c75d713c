// What the inspector says of the work that a name identifies: title, people, year, and citations to copy.

import { text } from 'node:stream/consumers';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { MetadataFormat } from '../../../src/works/metadata-format.ts';
import type { CslItem, WorkHistory } from '../../../src/works/work.ts';
import { violationsInEveryLook } from '../../support/accessibility.ts';
import {
  expectQuiet,
  keepCopies,
  patience,
  useChromium,
  type Watch,
  withoutChromium,
} from '../../support/chromium.ts';
import { createFakeDirectory, type FakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';

const RUN = "document.documentElement.setAttribute('data-ran', '1')";
const people = Array.from({ length: 15 }, (_, index) => ({ given: 'P.', family: `Person${index + 1}` }));

const PAPER: CslItem = {
  title: 'H<sub>2</sub>O in <i>E. coli</i>',
  author: people,
  issued: { 'date-parts': [[2020, 7]] },
  'container-title': 'Journal of Examples',
  publisher: 'Example Press',
  volume: '12',
  issue: '3',
  page: '45-67',
};
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

describe.skipIf(withoutChromium('works in the inspector'))('works in the inspector', () => {
  const open = useChromium();
  let directory: FakeDirectory;
  let gateway: ListeningGateway;
  let isIll: boolean;
  /** Lets the agency answer for 10.5555/held. */
  let release: () => void;

  let held: Promise<void>;

  beforeAll(async () => {
    const names = ['paper', 'hostile', 'silent', 'ill', 'held', 'citations-ill', 'retracted', 'none', 'off'];
    directory = createFakeDirectory({
      records: Object.fromEntries(
        names.map((name) => [`10.5555/${name}`, [urlValue('https://example.org/')]]),
      ),
      agencies: { '10.5555/off': { status: 'FOUND', agency: 'Crossref' } },
      histories: {
        '10.5555/retracted': RETRACTED,
        '10.5555/none': NONE_RECORDED,
        '10.5555/hostile': HOSTILE_HISTORY,
      },
      metadata: {
        '10.5555/retracted': PAPER,
        '10.5555/none': PAPER,
        '10.5555/off': PAPER,
        '10.5555/paper': async (_, format) => formatted(format),
        '10.5555/hostile': async (_, format) => (format.kind === 'csl' ? HOSTILE : `<script>${RUN}</script>`),
        '10.5555/ill': async () => {
          if (isIll) throw new GatewayError('UPSTREAM_TIMEOUT');
          return PAPER;
        },
        '10.5555/held': async () => {
          await held;
          return PAPER;
        },
        '10.5555/citations-ill': async (_, { kind }) => {
          if (kind !== 'csl' && isIll) throw new GatewayError('GATEWAY_BUSY');
          return kind === 'csl' ? PAPER : 'Person1 (2020).';
        },
      },
    });
    gateway = await startGateway({ directory });
    return () => gateway.close();
  });

  beforeEach(() => {
    isIll = true;
    held = new Promise<void>((resolve) => {
      release = resolve;
    });
  });

  function formatted(format: MetadataFormat): CslItem | string | null {
    return format.kind === 'citation' ? `Cited in ${format.style}.` : PAPER;
  }

  const visit = (name: string, profile?: BrowserContextOptions, at = gateway) =>
    open(`${at.url}/?doi=${name}`, profile);

  /** The operations that a page sent. */
  const operations = ({ requests }: Watch): string[] =>
    requests.flatMap((request) => /query (\w+)/.exec(request.postData() ?? '')?.[1] ?? []);

  const heading = (page: Page) => page.locator('.work-title');
  /** What stands below a name that is typed may still be about the name before. */
  const settled = (page: Page) =>
    page.locator('#result:not([aria-busy])').getByRole('region', { name: 'Record', exact: true }).waitFor();
  const cite = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true }).click();

  it('shows title, people and year before where the name leads, and folds long lists of people', async () => {
    const { page, seen } = await visit('10.5555/paper');
    await heading(page).getByText('H2O in E. coli').waitFor();
    expect(await heading(page).locator('bdi').innerHTML()).toBe('H<sub>2</sub>O in <i>E. coli</i>');
    const line = page.locator('.people');
    expect(await line.innerText()).toBe('P. Person1, P. Person2, P. Person3 and 12 more');
    await page
      .getByText('2020 · Journal of Examples 12(3), 45-67 · Example Press', { exact: true })
      .waitFor();
    expect(
      await page.evaluate(
        "document.querySelector('.work').compareDocumentPosition(document.querySelector('.glance'))",
      ),
    ).toBe(4);
    await page.getByRole('button', { name: 'and 12 more: show all' }).click();
    expect((await line.innerText()).split(', ')).toHaveLength(15);
    expect(await page.evaluate('document.activeElement.className')).toBe('people');
    await expect
      .poll(() => page.getByRole('status').innerText(), patience)
      .toContain('H2O in E. coli, P. Person1 and 14 more, 2020.');
    expectQuiet(seen);
  });

  it('asks for a citation when it is chosen, and for each once', async () => {
    const before = directory.calls.describe?.length;
    const { page, seen } = await visit('10.5555/paper');
    const copied = await keepCopies(page);
    await heading(page).waitFor();
    await settled(page);
    expect(directory.calls.describe?.slice(before)).toEqual(['csl 10.5555/paper']);
    const text = page.locator('.citation-text');
    for (const [label, style] of [
      ['APA', 'apa'],
      ['MLA', 'modern-language-association'],
      ['Chicago', 'chicago-author-date'],
      ['Vancouver', 'vancouver'],
      ['APA', 'apa'],
    ] as const) {
      await cite(page, label);
      await text.getByText(`Cited in ${style}.`, { exact: true }).waitFor();
    }
    expect(await page.getByRole('button', { pressed: true }).allInnerTexts()).toEqual(['APA']);
    await page.getByRole('button', { name: 'Copy the citation as APA' }).click();
    await page.getByRole('status').getByText('Copied: the citation as APA.').waitFor({ state: 'attached' });
    expect(await copied()).toBe('Cited in apa.');
    expect(directory.calls.describe?.slice(before)).toEqual([
      'csl 10.5555/paper',
      'citation apa en-US 10.5555/paper',
      'citation modern-language-association en-US 10.5555/paper',
      'citation chicago-author-date en-US 10.5555/paper',
      'citation vancouver en-US 10.5555/paper',
    ]);
    expectQuiet(seen);
  });

  it('gives BibTeX and RIS as files, from the CSL of the work', async () => {
    const before = directory.calls.describe?.length;
    const { page, seen } = await visit('10.5555/paper');
    for (const [format, file, beginning] of [
      ['BibTeX', '10.5555_paper.bib', '@misc{person12020h2o-'],
      ['RIS', '10.5555_paper.ris', 'TY  - GEN\n'],
    ] as const) {
      await cite(page, format);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Download ${file}` }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(file);
      const content = await text(await download.createReadStream());
      expect(content.slice(0, beginning.length)).toBe(beginning);
    }
    expect(new Set(directory.calls.describe?.slice(before))).toEqual(new Set(['csl 10.5555/paper']));
    expectQuiet(seen);
  });

  it('shows in a band above the title that the work was retracted, and links to its preprint', async () => {
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
    await page.getByRole('status').getByText('Retracted: H2O in E. coli').waitFor({ state: 'attached' });
    expect(await page.getByText('Retractions and corrections').count()).toBe(0);
    expect(await violationsInEveryLook(page)).toEqual([]);
    expectQuiet(seen);
  });

  it.each([
    ['10.5555/none', 'none recorded by Crossref'],
    ['10.5555/off', 'not looked up by this gateway'],
    ['10.5555/paper', 'reported for another DOI'],
  ])('never calls a work without a notice sound: %s', async (name, words) => {
    const { page, seen } = await visit(name);
    await page.getByText(`Described by Crossref · Retractions and corrections: ${words}`).waitFor();
    expect(await page.locator('.band').count()).toBe(0);
    expectQuiet(seen);
  });

  it('takes what an agency says for text', async () => {
    const { page, seen } = await visit('10.5555/hostile');
    await heading(page).getByText('U+202E').waitFor();
    await cite(page, 'APA');
    await page.locator('.citation-text').getByText('<script>').waitFor();
    const elements = await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('.work-title *, .people *, .band *, .related *, .citation-text *'), ({ localName, attributes }) => [localName, ...Array.from(attributes, ({ name }) => name)].join(' '))",
    );
    expect(new Set(elements)).toEqual(new Set(['bdi dir', 'span class', 'code class', 'strong', 'ul', 'li']));
    await page.getByText(`Also as preprint: javascript:${RUN}`).waitFor();
    expect(await page.evaluate("document.documentElement.hasAttribute('data-ran')")).toBe(false);
    expectQuiet(seen);
  });

  it('waits for the agency nowhere else', async () => {
    const { page, seen } = await visit('10.5555/held');
    await settled(page);
    await page.locator('.glance').getByRole('link', { name: 'https://example.org/' }).waitFor();
    expect(await page.locator('.work.waiting').innerText()).toBe('asking what it is …');
    release();
    await heading(page).getByText('H2O in E. coli').waitFor();
    await page.getByRole('status').getByText('H2O in E. coli').waitFor({ state: 'attached' });
    expectQuiet(seen);
  });

  it('says in plain words that the agency failed, which costs nothing else, and asks again', async () => {
    const { page, seen } = await visit('10.5555/ill');
    const line = page.locator('.work.missing');
    await line
      .getByText('Title and people are not known now: the service that describes it is slow.')
      .waitFor();
    await settled(page);
    expect(await page.locator('.failure').count()).toBe(0);
    isIll = false;
    await line.getByRole('button', { name: 'Try again' }).click();
    await heading(page).getByText('H2O in E. coli').waitFor();
    expectQuiet(seen);
  });

  it('says the same of a citation', async () => {
    const { page, seen } = await visit('10.5555/citations-ill');
    await cite(page, 'MLA');
    const failure = page.locator('.citation .missing');
    await failure
      .getByText('There is no citation as MLA now: the service that describes it is asked too often.')
      .waitFor();
    isIll = false;
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.citation-text').getByText('Person1 (2020).').waitFor();
    expectQuiet(seen);
  });

  it('has one quiet line where the agency has nothing, and none for a name that is not there', async () => {
    const { page, seen } = await visit('10.5555/silent');
    await page.getByText('No title of it is held in memory.').waitFor();
    expect(await page.getByRole('button', { name: 'APA' }).count()).toBe(0);
    await page.getByLabel('DOI, link, sentence or reference list').fill('10.5555/absent');
    await page.getByLabel('DOI, link, sentence or reference list').press('Enter');
    await page.locator('.glance').getByText('Not in the embedded directory').waitFor();
    await expect
      .poll(() => operations(seen).filter((name) => name === 'InspectWork').length, patience)
      .toBe(2);
    await expect.poll(() => page.locator('.work').count(), patience).toBe(0);
    expectQuiet(seen);
  });

  it('says of the live system that the agency has none', async () => {
    const live = await startGateway({
      directory: { ...directory, description: { ...directory.description, kind: 'PROXY' } },
    });
    const { page, seen } = await visit('10.5555/silent', undefined, live);
    await page.getByText('Its agency gives no title.').waitFor();
    expectQuiet(seen);
    await live.close();
  });

  it('says so where titles are off, and asks no second time', async () => {
    const off = await startGateway({}, { METADATA: 'no' });
    const { page, seen } = await visit('10.1000/182', undefined, off);
    await settled(page);
    const sentence = page.locator('.work').getByText('Titles are turned off on this gateway.');
    await sentence.waitFor();
    // In one step: after a pause in typing, the inspector would also look up what is typed so far.
    await page.getByLabel('DOI, link, sentence or reference list').evaluate((field: HTMLTextAreaElement) => {
      field.value = '10.1000/1';
      field.form?.requestSubmit();
    });
    await page.locator('.suffix').getByText('1', { exact: true }).waitFor();
    await settled(page);
    await sentence.waitFor();
    expect(operations(seen)).toEqual([
      'InspectName',
      'InspectDirectory',
      'InspectWork',
      'InspectName',
      'InspectDirectory',
    ]);
    expectQuiet(seen);
    await off.close();
  });

  it('can be used by everybody', async () => {
    const { page, seen } = await visit('10.5555/paper');
    await cite(page, 'BibTeX');
    await page.getByRole('button', { name: /^Download/ }).waitFor();
    await settled(page);
    expect(await violationsInEveryLook(page)).toEqual([]);
    expectQuiet(seen);
  });
});
