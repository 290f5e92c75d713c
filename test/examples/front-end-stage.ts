// The built front-end example in a browser, before a gateway that allows only the operations of the example.

import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { useChromium, type Visit, type Watch, withoutChromium } from '../support/chromium.ts';
import { type FrontEnd, startFrontEnd, withoutFrontEnd } from '../support/front-end.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { createListDirectory, type ListDirectory } from './list-directory.ts';

/** The operations that the build of the example writes. */
const manifest = fileURLToPath(
  new URL('../../examples/front-end/generated/persisted-documents.json', import.meta.url),
);

/** Whether to skip a suite. */
export const withoutExample = (suite: string): boolean => withoutFrontEnd(suite) || withoutChromium(suite);

export interface FrontEndStage {
  /** a new directory for each test */
  readonly directory: ListDirectory;
  open(): Promise<Visit>;
  /** Pastes a list and presses a button. */
  submit(text: string, button?: string): Promise<Visit>;
  stopGateway(): Promise<void>;
  startGateway(directory?: ListDirectory): Promise<void>;
}

/** Starts the example for a test file, and a gateway for each test. */
export function useFrontEnd(): FrontEndStage {
  const openPage = useChromium();
  let directory: ListDirectory;
  /** The server of the page forwards /graphql to this gateway. A restart changes its address. */
  const gateway = { url: '' };
  let running: ListeningGateway;
  let frontEnd: FrontEnd;

  beforeAll(async () => {
    frontEnd = await startFrontEnd(gateway);
  });
  afterAll(() => frontEnd.close());
  beforeEach(async () => {
    await start(createListDirectory());
    return () => running.close();
  });

  async function start(next: ListDirectory): Promise<void> {
    directory = next;
    running = await startGateway({ directory }, { PERSISTED_OPERATIONS: manifest, PERSISTED_ONLY: 'yes' });
    gateway.url = running.url;
  }

  const open = () => openPage(frontEnd.url);
  return {
    get directory() {
      return directory;
    },
    open,
    async submit(text, button = 'Look up') {
      const visit = await open();
      await fill(visit.page, text, button);
      return visit;
    },
    stopGateway: () => running.close(),
    startGateway: (next = directory) => start(next),
  };
}

/** Pastes a list into the open page and presses a button. */
export async function fill(page: Page, text: string, button: string): Promise<void> {
  await page.getByLabel('DOIs, in any form, or a bibliography').fill(text);
  await page.getByRole('button', { name: button }).click();
}

interface Operation {
  readonly query: string;
  readonly variables: { readonly inputs: string[] };
}

const graphqlRequests = ({ requests }: Watch) =>
  requests.filter((request) => request.url().endsWith('/graphql'));
const isForTitles = ({ query }: Operation) => query.startsWith('query Titles');

/** The operation of each request to the gateway. */
export const operations = (seen: Watch): Operation[] =>
  graphqlRequests(seen).map((request) => request.postDataJSON() as Operation);
export const lookUps = (seen: Watch): Operation[] =>
  operations(seen).filter((operation) => !isForTitles(operation));
export const titleRequests = (seen: Watch): Operation[] => operations(seen).filter(isForTitles);
export const contentTypes = (seen: Watch) =>
  Promise.all(
    graphqlRequests(seen).map(async (request) => (await request.response())?.headers()['content-type']),
  );

export const cells = (page: Page, row: number) =>
  page.locator(`#row-${row}`).locator('th, td').allInnerTexts();
export const progress = (page: Page) => page.locator('progress').getAttribute('value').then(Number);
export const countOf = (page: Page, outcome: string) => page.locator(`tr[data-outcome="${outcome}"]`).count();
export const finished = (page: Page) => page.getByText('Done:').first().waitFor();
