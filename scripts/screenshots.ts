// Takes the pictures of the documentation: `npm run screenshots` writes them to docs/. Build examples/front-end first.

import { fileURLToPath } from 'node:url';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createEmbeddedDirectory } from '../src/directory/embedded.ts';
import { startAgencyApis } from '../test/support/agencies/agency-apis.ts';
import { launchOptions } from '../test/support/chromium-server.ts';
import { memoryWith } from '../test/support/directory-memory.ts';
import { startFrontEnd } from '../test/support/front-end.ts';
import { startGateway } from '../test/support/gateway.ts';
import { LINES, PUMPS, TWINS } from '../test/support/reference-list.ts';

const picture = (name: string) => fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url));

const gateway = await startGateway();
const browser = await chromium.launch(launchOptions);
try {
  await takeInspector();
  await takeNarrowInspector();
  await takeReferences();
  await takeGraphiql();
  await takeNotFound();
  await takeFrontEnd();
  await takeDoiLinks();
} finally {
  await browser.close();
  await gateway.close();
}

function openPage(width: number, height: number, options: BrowserContextOptions = {}): Promise<Page> {
  const viewport = { width, height };
  return browser.newPage({ viewport, colorScheme: 'light', reducedMotion: 'reduce', ...options });
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: picture(name), animations: 'disabled', caret: 'hide' });
  console.log(picture(name));
}

/** A retracted work: the notice, the parts of its name, its forms, and where it leads. */
async function takeInspector(): Promise<void> {
  const page = await openPage(1280, 1240);
  await page.goto(`${gateway.url}/?doi=https://doi.org/10.5555/invented.retracted`);
  await page.locator('.band').waitFor();
  await page.locator('#record .values').waitFor();
  await take(page, 'inspector');
}

/** The same page in the dark on a telephone, with a name that has more than ASCII in it. */
async function takeNarrowInspector(): Promise<void> {
  const page = await openPage(390, 844, { colorScheme: 'dark', deviceScaleFactor: 2 });
  await page.goto(`${gateway.url}/?doi=10.123/456`);
  await page.locator('#locations').scrollIntoViewIfNeeded();
  await page.locator('#record .values').waitFor();
  await page.evaluate("document.querySelector('#redirect').scrollIntoView(); scrollBy(0, -70)");
  await take(page, 'inspector-dark-narrow');
}

/** A list of references without DOIs, searched in front of fake agencies. */
async function takeReferences(): Promise<void> {
  const apis = await startAgencyApis({ works: [], searched: { crossref: [PUMPS, ...TWINS], datacite: [] } });
  const searching = await startGateway({}, { ...apis.env, CONTACT: 'operator@example.org' });
  try {
    const page = await openPage(1000, 1030);
    await page.goto(`${searching.url}/?doi=${encodeURIComponent(LINES)}`);
    await page.getByRole('button', { name: 'Find their DOIs' }).click();
    await page.getByText('4 of 4 references searched').first().waitFor();
    await page.evaluate("document.activeElement.blur(); document.querySelector('#verdict').scrollIntoView()");
    await take(page, 'references');
  } finally {
    await searching.close();
    await apis.close();
  }
}

async function takeGraphiql(): Promise<void> {
  const page = await openPage(1400, 900);
  await page.goto(`${gateway.url}/graphql`);
  // Coloured by the schema-aware worker: the editor is ready.
  await page.locator('.graphiql-query-editor .view-lines').getByText('utf8Hex').waitFor();
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.graphiql-response .view-lines').getByText('utf8Hex').waitFor();
  // Away from the button, whose tooltip would cover the query.
  await page.mouse.move(1050, 750);
  await page.locator('.graphiql-spinner').waitFor({ state: 'detached' });
  await page.locator('[data-radix-popper-content-wrapper]').waitFor({ state: 'detached' });
  await take(page, 'graphiql');
}

/** The page of a name that has a slash too many. */
async function takeNotFound(): Promise<void> {
  const page = await openPage(1000, 330);
  await page.goto(`${gateway.url}/10.1000/demo_DOI/`);
  await page.getByRole('link', { name: '10.1000/demo_DOI' }).waitFor();
  await take(page, 'not-found');
}

/** The front-end example in mid-stream: two of its rows still wait. */
async function takeFrontEnd(): Promise<void> {
  const file = (name: string) => fileURLToPath(new URL(`../data/${name}`, import.meta.url));
  const directory = await createEmbeddedDirectory({
    recordsFile: file('sample-directory.jsonl'),
    agenciesFile: file('prefix-agencies.json'),
  });
  const waitedFor = ['10.1103/PhysRevLett.118.140402', '10.5438/bv9z-dc66'];
  const slow = await startGateway({
    random: () => 0,
    directory: {
      ...directory,
      // A record in memory would need no look-up.
      memory: memoryWith({
        record: (name) => (waitedFor.includes(name) ? undefined : directory.memory?.record(name)),
      }),
      resolve: (name, options) =>
        waitedFor.includes(name) ? new Promise(() => {}) : directory.resolve(name, options),
    },
  });
  const frontEnd = await startFrontEnd(slow);
  try {
    const page = await openPage(1280, 1110);
    await page.goto(frontEnd.url);
    await page
      .getByLabel('DOIs, in any form')
      .fill(
        [
          ...['https://doi.org/10.1021/jacs.5c01100', '10.1103/PhysRevLett.118.140402', '10.1000/456#789'],
          ...['10.10OO/182', 'doi:10.5438/bv9z-dc66', '10.5555/loc', 'https://doi.org/10.1000/456%23789'],
          '10.1000/demo_DOI/',
        ].join('\n'),
      );
    await page.keyboard.press('Control+Home');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('6 of 8 rows answered').waitFor();
    await take(page, 'front-end');
  } finally {
    await frontEnd.close();
    await slow.close();
  }
}

/** The demo of <doi-link>, with the card of a link. */
async function takeDoiLinks(): Promise<void> {
  const frontEnd = await startFrontEnd(gateway);
  try {
    const page = await openPage(760, 1000);
    await page.goto(`${frontEnd.url}doi-link.html`);
    await page.locator('[part=lines]').first().waitFor();
    await page.locator('doi-link > a').nth(1).hover();
    await page.locator('[part=card]:popover-open').waitFor();
    await take(page, 'doi-link');
  } finally {
    await frontEnd.close();
  }
}
