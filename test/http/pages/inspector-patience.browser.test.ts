// The inspector while the directory is slow.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectQuiet, patience, useChromium, withoutChromium } from '../../support/chromium.ts';
import { startGateway } from '../../support/gateway.ts';
import { createHeldDirectory } from '../../support/held-directory.ts';

const STILL_WAITING = 'Still waiting: the directory takes longer than usual.';

describe.skipIf(withoutChromium('the patience of the inspector'))(
  'the inspector during a slow look-up',
  () => {
    const open = useChromium();

    /** Opens the page with a manual clock, over a directory that holds its responses. */
    async function visit(text: string) {
      const directory = createHeldDirectory();
      const gateway = await startGateway({ directory });
      const { page, seen } = await open('about:blank', {});
      await page.clock.install();
      await page.goto(`${gateway.url}/?doi=${encodeURIComponent(text)}`);
      const answerAll = () => {
        for (const name of directory.calls.resolve) directory.answer(name);
        for (const name of directory.calls.whichRa.flat()) directory.answerAgency(name, 'Agency');
      };
      const close = async () => {
        // For a name that is not found, the page looks up suggestions.
        const stillShown = () => {
          answerAll();
          return shown(page);
        };
        await expect.poll(stillShown, patience).toBe(0);
        expectQuiet(seen);
        await gateway.close();
      };
      return { page, close };
    }

    const shown = (page: Page) => page.locator('main :not([role=status])').getByText(STILL_WAITING).count();

    it('says after three seconds that the look-up of a name continues', async () => {
      const { page, close } = await visit('10.5555/1');
      await page.getByText('Asking the directory …').waitFor();
      await page.clock.runFor(3_000);
      await page.locator('#directory').getByText(STILL_WAITING).waitFor();
      await close();
    });

    it('says after three seconds that the look-up of a list continues', async () => {
      const { page, close } = await visit('10.5555/1\n10.5555/2');
      await page.getByText('looking up …').first().waitFor();
      await page.clock.runFor(3_000);
      await page.locator('#verdict').getByText(STILL_WAITING).waitFor();
      await close();
    });
  },
);
