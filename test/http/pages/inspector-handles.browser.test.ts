// Handles that are no DOI names, in the inspector.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectQuiet, useChromium, withoutChromium } from '../../support/chromium.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';

describe.skipIf(withoutChromium('handles in the inspector'))('the inspector', () => {
  let sample: ListeningGateway;
  let fake: ListeningGateway;
  const open = useChromium();

  beforeAll(async () => {
    sample = await startGateway();
    const located = [
      urlValue('https://example.org/plain'),
      {
        index: 2,
        type: '10320/loc',
        ttl: 60,
        data: {
          format: 'string',
          value:
            '<locations><location href="https://example.org/gb"/><location href="https://example.org/us" country="us" weight="0"/></locations>',
        },
      },
    ];
    const records = {
      '2381/12345': located,
      '20.500.12345/A#b': located,
      '2381/alias': [urlValue('10.5555/moody', { type: 'HS_ALIAS' })],
      '10.5555/moody': [urlValue('https://example.org/well')],
    };
    fake = await startGateway({ directory: createFakeDirectory({ records }) });
    return async () => {
      await sample.close();
      await fake.close();
    };
  });

  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it.each([
    ['hdl:20.500.12345/A%23b', '20.500.12345', 'A#b'],
    ['https://hdl.handle.net/2381/12345', '2381', '12345'],
    ['2381/12345', '2381', '12345'],
  ])('shows %s, a handle that is no DOI', async (input, prefix, suffix) => {
    const { page, seen } = await open(`${fake.url}/?doi=${encodeURIComponent(input)}`);
    const handle = section(page, 'Read as a handle');
    await handle.getByText('Registered · 2 values').waitFor();
    expect(await handle.locator('.prefix .part-text').innerText()).toBe(prefix);
    expect(await handle.locator('.suffix .part-text').innerText()).toBe(suffix);
    expect(await handle.locator('.glance dt').allInnerTexts()).toHaveLength(2);
    const link = `https://hdl.handle.net/${prefix}/${encodeURIComponent(suffix)}`;
    expect(await handle.getByRole('link', { name: link }).count()).toBe(1);
    expect(await handle.locator('.facts').innerText()).toContain('does not begin with "10."');
    await section(page, 'Where it leads').getByRole('link', { name: 'https://example.org/gb' }).waitFor();
    await section(page, 'Locations').waitFor();
    await section(page, 'Record').getByText('10320/loc').waitFor();
    expect(await section(page, 'Registration agency').count()).toBe(0);
    await page.getByLabel('is in the country').fill('us');
    await section(page, 'Where it leads').getByRole('link', { name: 'https://example.org/us' }).waitFor();
    expectQuiet(seen);
  });

  it('shows the alias of a handle that is no DOI', async () => {
    const { page, seen } = await open(`${fake.url}/?doi=hdl:2381/alias`);
    await section(page, 'Aliases').getByRole('link', { name: '10.5555/moody' }).waitFor();
    expectQuiet(seen);
  });

  it('cannot tell of a handle that the sample lacks', async () => {
    const { page, seen } = await open(`${sample.url}/?doi=2381/12345`);
    await section(page, 'Read as a handle').getByText('Not in the embedded directory').waitFor();
    expectQuiet(seen);
  });

  it.each(['doi:2381/12345', 'https://doi.org/2381/12345', '10.SERV/CROSSREF', 'hdl:10.1000/'])(
    'explains %s as a wrong DOI',
    async (input) => {
      const { page, seen } = await open(`${sample.url}/?doi=${encodeURIComponent(input)}`);
      await page.getByRole('heading', { name: 'This is no DOI name' }).waitFor();
      expect(await page.getByRole('heading', { name: 'Read as a handle' }).count()).toBe(0);
      expectQuiet(seen);
    },
  );
});
