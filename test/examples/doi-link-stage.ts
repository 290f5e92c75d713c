// <doi-link> in pages of another origin than the gateway's.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { patience, useChromium, type Visit } from '../support/chromium.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import {
  buildDoiLink,
  type LinkedPage,
  type PlayedGateway,
  playGateway,
  serveLinkedPage,
} from './linked-page.ts';

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

export interface DoiLinkStage {
  /** the minified element */
  readonly script: Uint8Array;
  /** responds to requests of the played gateway, until a test replaces it */
  readonly real: TestGateway;
  readonly gateway: PlayedGateway;
  readonly page: LinkedPage;
  readonly open: ReturnType<typeof useChromium>;
  /** The element as HTML. */
  link(doi: string, attributes?: string, url?: string): string;
  /** Opens a page. Does not wait for the script. */
  visit(body: string): Promise<Visit>;
  /** The inputs of each request to the gateway. */
  inputs(): readonly (readonly string[])[];
}

/** Starts the page and the gateways for a test file. */
export function useDoiLink(): DoiLinkStage {
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

  return {
    open,
    get script() {
      return script;
    },
    get real() {
      return real;
    },
    get gateway() {
      return gateway;
    },
    get page() {
      return page;
    },
    link: (doi, attributes = '', url = gateway.url) =>
      `<doi-link gateway="${url}" ${attributes}><a href="https://doi.org/${doi}">${doi}</a></doi-link>`,
    async visit(body) {
      page.body = body;
      const visited = await open('about:blank');
      await visited.page.goto(page.url, { waitUntil: 'commit' });
      return visited;
    },
    inputs: () => gateway.requests.map(({ inputs }) => inputs),
  };
}

/** The texts of all elements of a page. */
export const shown = (visited: Page) => visited.evaluate<string[][]>(SHOWN);
export const showing = (visited: Page) => expect.poll(() => shown(visited), patience);

export const rows = (dois: readonly unknown[], errors?: readonly unknown[]) =>
  Response.json({ data: { dois }, errors }, { headers: { 'access-control-allow-origin': '*' } });
export const row = (parts: object) => ({
  url: 'https://doi.org/10.5555/1',
  whichRa: { status: 'FOUND', agency: { name: 'Crossref' } },
  metadata: { title: 'A title' },
  updates: { outcome: 'NONE_RECORDED', source: 'Crossref', notices: [] },
  ...parts,
});
