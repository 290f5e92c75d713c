// The GraphiQL pages of the federation example, in a browser that reaches nothing but this machine.

import { beforeAll, describe, it } from 'vitest';
import { expectQuiet, useChromium, withoutChromium } from '../support/chromium.ts';
import { type FederationExample, startFederationExample } from './federation-example.ts';

describe.skipIf(withoutChromium('GraphiQL of the federation example'))('GraphiQL of the example', () => {
  const open = useChromium();
  let example: FederationExample;

  beforeAll(async () => {
    example = await startFederationExample();
    return async () => {
      await example.end('SIGTERM');
    };
  }, 60_000);

  it.each([
    ['federated gateway', '{ works { title doi { name } } }', 'The DOI Handbook'],
    ['catalog', '{ works { title } }', 'The DOI Handbook'],
    ['review service', '{ _service { sdl } }', 'Reviews are stored by'],
  ])(
    'of the %s shows the result of a query, and sends no request to another host',
    async (part, query, expected) => {
      const url = new URL(example.parts[part]?.url ?? '');
      url.searchParams.set('query', query);
      const { page, seen } = await open(url.href);
      await page.locator('.graphiql-query-editor .view-lines').getByText('{').first().waitFor();
      await page.locator('.graphiql-execute-button').click();
      await page.locator('.graphiql-response .view-lines').getByText(expected).first().waitFor();
      expectQuiet(seen);
    },
  );
});
