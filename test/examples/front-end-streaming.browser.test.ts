// The front-end example while results arrive, and after a failure.

import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { expectQuiet, patience } from '../support/chromium.ts';
import {
  cells,
  contentTypes,
  countOf,
  fill,
  finished,
  lookUps,
  progress,
  titleRequests,
  useFrontEnd,
  withoutExample,
} from './front-end-stage.ts';
import { gate } from './linked-page.ts';
import { createListDirectory, heldName, numbers } from './list-directory.ts';

const suite = 'the streaming front-end example';

describe.skipIf(withoutExample(suite))(suite, () => {
  const stage = useFrontEnd();
  const heldList = numbers(1, 40).map(heldName).join('\n');

  it('fills in each row when its result arrives, and moves the progress bar', async () => {
    const { page, seen } = await stage.submit(heldList);
    await expect.poll(() => stage.directory.waiting(), patience).toBe(40);
    expect(await countOf(page, 'waiting')).toBe(40);
    expect(await cells(page, 7)).toEqual(['7', heldName(7), heldName(7), '', '', 'Waiting']);

    stage.directory.release([7]);
    await expect.poll(() => progress(page), patience).toBe(1);
    expect(await contentTypes(seen)).toEqual(['multipart/mixed; boundary="-"']);
    expect((await cells(page, 7)).slice(3)).toEqual(['https://example.org/7\nURL value', 'none', 'Found']);
    stage.directory.release(numbers(21, 30));
    await expect.poll(() => progress(page), patience).toBe(11);
    expect(await countOf(page, 'waiting')).toBe(29);
    expect(await page.locator('[aria-live]').innerText()).toBe('20 percent answered');
    expect(stage.directory.waiting()).toBe(29);

    stage.directory.release(numbers(1, 40));
    await finished(page);
    expect(await progress(page)).toBe(40);
    expect(await countOf(page, 'found')).toBe(40);
    expect(lookUps(seen)).toHaveLength(1);
    expectQuiet(seen);
  });

  it('shows the title of each DOI that exists when the title arrives', async () => {
    const title = gate();
    const paper = { title: 'H<sub>2</sub>O', author: [{ literal: 'A. One' }, { literal: 'B. Two' }] };
    const directory = createListDirectory(
      {
        '10.5555/found': { ...paper, issued: { 'date-parts': [[2020]] } },
        [heldName(1)]: async () => {
          await title.opened;
          return { title: 'Held' };
        },
        [heldName(3)]: new GatewayError('UPSTREAM_TIMEOUT'),
      },
      {
        '10.5555/found': { updates: { outcome: 'RETRACTED', notices: [], noticeOf: [] }, relations: [] },
        [heldName(1)]: { updates: { outcome: 'NONE_RECORDED', notices: [], noticeOf: [] }, relations: [] },
      },
    );
    directory.release([1, 2, 3]);
    await stage.stopGateway();
    await stage.startGateway(directory);
    const { page, seen } = await stage.submit(
      ['10.5555/found', heldName(1), heldName(2), heldName(3), '10.5555/absent'].join('\n'),
    );
    await finished(page);
    const nameCell = async (row: number) => (await cells(page, row))[2];
    await expect
      .poll(() => nameCell(1), patience)
      .toBe('10.5555/found\nH2O\nA. One and 1 more, 2020\nRetracted');
    await expect
      .poll(() => nameCell(4), patience)
      .toBe(`${heldName(3)}\nno title now: The directory is slow. Try again.`);
    expect(await nameCell(2)).toBe(heldName(1));
    title.open();
    await expect
      .poll(() => nameCell(2), patience)
      .toBe(`${heldName(1)}\nHeld\nretractions: none recorded by Crossref`);
    expect([await nameCell(3), await nameCell(5)]).toEqual([heldName(2), '10.5555/absent']);
    expect(titleRequests(seen).map(({ variables }) => variables.inputs)).toEqual([
      ['10.5555/found', heldName(1), heldName(2), heldName(3)],
    ]);
    await page.getByRole('button', { name: 'Ask again for 1 row' }).waitFor();
    expectQuiet(seen);
  });

  it('stops the look-ups on Cancel, keeps the finished rows, and can look up the other rows later', async () => {
    const { page, seen } = await stage.submit(heldList);
    await expect.poll(() => stage.directory.waiting(), patience).toBe(40);
    stage.directory.release(numbers(1, 10));
    await expect.poll(() => progress(page), patience).toBe(10);

    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => stage.directory.waiting(), patience).toBe(0);
    await page.getByText('Cancelled: 10 of 40 rows answered').first().waitFor();
    expect((await cells(page, 11)).at(-1)).toBe('No answer');
    expect((await cells(page, 10)).at(-1)).toBe('Found');

    stage.directory.release(numbers(11, 40));
    await page.getByRole('button', { name: 'Ask again for 30 rows' }).click();
    await finished(page);
    expect(await countOf(page, 'found')).toBe(40);
    expect(lookUps(seen).map(({ variables }) => variables.inputs.length)).toEqual([40, 30]);
  });

  it('keeps the finished rows while the gateway is down, and looks up the other rows later', async () => {
    const { page, seen } = await stage.submit(heldList);
    await expect.poll(() => stage.directory.waiting(), patience).toBe(40);
    stage.directory.release(numbers(1, 10));
    await expect.poll(() => progress(page), patience).toBe(10);

    await stage.stopGateway();
    await page.getByRole('alert').getByText('The gateway cannot be reached').waitFor();
    expect(await countOf(page, 'found')).toBe(10);
    await page.getByRole('button', { name: 'Ask again for 30 rows' }).click();
    await expect.poll(() => lookUps(seen).length, patience).toBe(2);
    await page.getByRole('alert').waitFor();

    stage.directory.holdAgain();
    stage.directory.release(numbers(11, 40));
    await stage.startGateway();
    await page.getByRole('button', { name: 'Ask again for 30 rows' }).click();
    await finished(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await countOf(page, 'found')).toBe(40);
  });

  it('shows an alert when a response breaks off, and keeps the finished rows', async () => {
    const { page, seen } = await stage.open();
    const answer = (number: number) => ({
      record: { status: 'SUCCESS', stale: false, fetchedAt: '2026-11-20T12:00:00Z', message: null },
      redirect: { url: `https://example.org/${number}`, chosenBy: 'URL' },
      registrationAgency: null,
      warnings: [],
    });
    const dois = [1, 2, 3].map((number) => ({ id: `doi:10.5555/${number}`, name: `10.5555/${number}` }));
    const nullRow = { message: 'Nothing is left of it.', path: ['dois', 1, 'record', 'status'] };
    const parts = [
      { data: { dois, doiEquivalenceClasses: { classes: [] } }, hasNext: true },
      {
        incremental: [
          { path: ['dois', 0], data: answer(1) },
          { path: ['dois', 1], data: null, errors: [nullRow] },
        ],
        hasNext: true,
      },
    ].map((part) => `\r\n---\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(part)}`);
    await page.route('**/graphql', (route) =>
      route.fulfill({ contentType: 'multipart/mixed; boundary="-"', body: `${parts.join('')}\r\n---` }),
    );
    await fill(page, '10.5555/1 10.5555/2 10.5555/3', 'Look up');

    await page.getByRole('alert').getByText('the connection ended before the last answer').waitFor();
    expect((await cells(page, 1)).at(-1)).toBe('Found');
    expect((await cells(page, 2)).slice(2)).toEqual(['10.5555/2', '', '', 'Failed\nNothing is left of it.']);
    expect((await cells(page, 3)).at(-1)).toBe('No answer');
    await page.getByRole('button', { name: 'Ask again for 1 row' }).waitFor();
    expectQuiet(seen);
  });
});
