// The inspector shows handles that are not DOI names.

import { beforeAll, describe, expect, it } from 'vitest';
import { expectQuiet, useChromium, withoutChromium } from '../../support/chromium.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { section } from './inspector-page.ts';

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

  it.each([
    ['hdl:20.500.12345/A%23b', '20.500.12345', 'A#b'],
    ['https://hdl.handle.net/2381/12345', '2381', '12345'],
    ['2381/12345', '2381', '12345'],
  ])('shows the handle %s', async (input, prefix, suffix) => {
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

  it('shows the alias of a handle', async () => {
    const { page, seen } = await open(`${fake.url}/?doi=hdl:2381/alias`);
    await section(page, 'Aliases').getByRole('link', { name: '10.5555/moody' }).waitFor();
    expectQuiet(seen);
  });

  it('does not call a handle unregistered if only the sample lacks the handle', async () => {
    const { page, seen } = await open(`${sample.url}/?doi=2381/12345`);
    await section(page, 'Read as a handle').getByText('Not in the embedded directory').waitFor();
    expectQuiet(seen);
  });

  it.each(['doi:2381/12345', 'https://doi.org/2381/12345', '10.SERV/CROSSREF', 'hdl:10.1000/'])(
    'explains %s as an invalid DOI',
    async (input) => {
      const { page, seen } = await open(`${sample.url}/?doi=${encodeURIComponent(input)}`);
      await page.getByRole('heading', { name: 'This is no DOI name' }).waitFor();
      expect(await page.getByRole('heading', { name: 'Read as a handle' }).count()).toBe(0);
      expectQuiet(seen);
    },
  );
});
