// The inspector describes the work of a name: title, people, year, and citations.

import { text } from 'node:stream/consumers';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import type { MetadataFormat } from '../../../src/works/metadata-format.ts';
import type { CslItem } from '../../../src/works/work.ts';
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
import { field, statusLine, submit, untilAnnounced } from './inspector-page.ts';

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

describe.skipIf(withoutChromium('works in the inspector'))('works in the inspector', () => {
  const open = useChromium();
  let directory: FakeDirectory;
  let gateway: ListeningGateway;
  let isFailing: boolean;
  /** Lets the agency respond for 10.5555/held. */
  let release: () => void;

  let held: Promise<void>;

  beforeAll(async () => {
    const names = ['paper', 'silent', 'failing', 'held', 'citations-failing'];
    directory = createFakeDirectory({
      records: Object.fromEntries(
        names.map((name) => [`10.5555/${name}`, [urlValue('https://example.org/')]]),
      ),
      metadata: {
        '10.5555/paper': async (_, format) => formatted(format),
        '10.5555/failing': async () => {
          if (isFailing) throw new GatewayError('UPSTREAM_TIMEOUT');
          return PAPER;
        },
        '10.5555/held': async () => {
          await held;
          return PAPER;
        },
        '10.5555/citations-failing': async (_, { kind }) => {
          if (kind !== 'csl' && isFailing) throw new GatewayError('GATEWAY_BUSY');
          return kind === 'csl' ? PAPER : 'Person1 (2020).';
        },
      },
    });
    gateway = await startGateway({ directory });
    return () => gateway.close();
  });

  beforeEach(() => {
    isFailing = true;
    held = new Promise<void>((resolve) => {
      release = resolve;
    });
  });

  function formatted(format: MetadataFormat): CslItem | string | null {
    return format.kind === 'citation' ? `Cited in ${format.style}.` : PAPER;
  }

  const visit = (name: string, profile?: BrowserContextOptions, at = gateway) =>
    open(`${at.url}/?doi=${name}`, profile);

  /** The operations that a page has sent. */
  const operations = ({ requests }: Watch): string[] =>
    requests.flatMap((request) => /query (\w+)/.exec(request.postData() ?? '')?.[1] ?? []);

  const heading = (page: Page) => page.locator('.work-title');
  /** Waits for the record of the latest input: until then, the page can show the record before. */
  const untilShown = (page: Page) =>
    page.locator('#result:not([aria-busy])').getByRole('region', { name: 'Record', exact: true }).waitFor();
  const cite = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true }).click();

  it('shows title, people and year above the redirect, and folds long lists of people', async () => {
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
      .poll(() => statusLine(page).innerText(), patience)
      .toContain('H2O in E. coli, P. Person1 and 14 more, 2020.');
    expectQuiet(seen);
  });

  it('looks up each citation once, when a user chooses it', async () => {
    const callsBefore = directory.calls.describe?.length;
    const { page, seen } = await visit('10.5555/paper');
    const copied = await keepCopies(page);
    await heading(page).waitFor();
    await untilShown(page);
    expect(directory.calls.describe?.slice(callsBefore)).toEqual(['csl 10.5555/paper']);
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
    await untilAnnounced(page, 'Copied: the citation as APA.');
    expect(await copied()).toBe('Cited in apa.');
    expect(directory.calls.describe?.slice(callsBefore)).toEqual([
      'csl 10.5555/paper',
      'citation apa en-US 10.5555/paper',
      'citation modern-language-association en-US 10.5555/paper',
      'citation chicago-author-date en-US 10.5555/paper',
      'citation vancouver en-US 10.5555/paper',
    ]);
    expectQuiet(seen);
  });

  it('makes BibTeX and RIS files from the CSL of the work', async () => {
    const callsBefore = directory.calls.describe?.length;
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
    expect(new Set(directory.calls.describe?.slice(callsBefore))).toEqual(new Set(['csl 10.5555/paper']));
    expectQuiet(seen);
  });

  it('shows all other parts while the agency does not respond', async () => {
    const { page, seen } = await visit('10.5555/held');
    await untilShown(page);
    await page.locator('.glance').getByRole('link', { name: 'https://example.org/' }).waitFor();
    expect(await page.locator('.work.waiting').innerText()).toBe('looking up what it is …');
    release();
    await heading(page).getByText('H2O in E. coli').waitFor();
    await untilAnnounced(page, 'H2O in E. coli');
    expectQuiet(seen);
  });

  it('reports a failure of the agency beside the record, and recovers with "Try again"', async () => {
    const { page, seen } = await visit('10.5555/failing');
    const line = page.locator('.work.missing');
    await line
      .getByText('Title and people are not known now: the service that describes it is slow.')
      .waitFor();
    await untilShown(page);
    expect(await page.locator('.failure').count()).toBe(0);
    isFailing = false;
    await line.getByRole('button', { name: 'Try again' }).click();
    await heading(page).getByText('H2O in E. coli').waitFor();
    expectQuiet(seen);
  });

  it('reports a failure of a citation, and recovers with "Try again"', async () => {
    const { page, seen } = await visit('10.5555/citations-failing');
    await cite(page, 'MLA');
    const failure = page.locator('.citation .missing');
    await failure
      .getByText('There is no citation as MLA now: the service that describes it gets too many requests.')
      .waitFor();
    isFailing = false;
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.citation-text').getByText('Person1 (2020).').waitFor();
    expectQuiet(seen);
  });

  it('shows one line for a work without metadata, and no line for a name that is not found', async () => {
    const { page, seen } = await visit('10.5555/silent');
    await page.getByText('No title of it is held in memory.').waitFor();
    expect(await page.getByRole('button', { name: 'APA' }).count()).toBe(0);
    await submit(field(page), '10.5555/absent');
    await page.locator('.glance').getByText('Not in the embedded directory').waitFor();
    await expect
      .poll(() => operations(seen).filter((name) => name === 'InspectWork').length, patience)
      .toBe(2);
    await expect.poll(() => page.locator('.work').count(), patience).toBe(0);
    expectQuiet(seen);
  });

  it('names the agency for a work without metadata in the live system', async () => {
    const live = await startGateway({
      directory: { ...directory, description: { ...directory.description, kind: 'PROXY' } },
    });
    const { page, seen } = await visit('10.5555/silent', undefined, live);
    await page.getByText('Its agency gives no title.').waitFor();
    expectQuiet(seen);
    await live.close();
  });

  it('reports that titles are off, and looks up no further title', async () => {
    const off = await startGateway({}, { METADATA: 'no' });
    const { page, seen } = await visit('10.1000/182', undefined, off);
    await untilShown(page);
    const sentence = page.locator('.work').getByText('Titles are turned off on this gateway.');
    await sentence.waitFor();
    // The test fills the field in one step, because the inspector looks up an input after each pause in typing.
    await field(page).evaluate((area: HTMLTextAreaElement) => {
      area.value = '10.1000/1';
      area.form?.requestSubmit();
    });
    await page.locator('.suffix').getByText('1', { exact: true }).waitFor();
    await untilShown(page);
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

  it('is accessible', async () => {
    const { page, seen } = await visit('10.5555/paper');
    await cite(page, 'BibTeX');
    await page.getByRole('button', { name: /^Download/ }).waitFor();
    await untilShown(page);
    expect(await violationsInEveryLook(page)).toEqual([]);
    expectQuiet(seen);
  });
});
