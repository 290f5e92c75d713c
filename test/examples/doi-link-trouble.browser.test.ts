// <doi-link> with a gateway that is down, invalid, hostile or busy.

import { describe, expect, it } from 'vitest';
import { expectQuiet, patience, withoutChromium } from '../support/chromium.ts';
import { row, rows, shown, useDoiLink } from './doi-link-stage.ts';
import { gate } from './linked-page.ts';

const suite = '<doi-link> with a bad gateway';

describe.skipIf(withoutChromium(suite))(suite, () => {
  const stage = useDoiLink();

  it('stays a plain link if the gateway is down, hangs or sends invalid data, or if its address is no HTTP URL', async () => {
    const { page: visited, seen } = await stage.open('about:blank', {});
    await visited.clock.install();
    const hanging = gate();
    const abort = gate();
    stage.gateway.respond = async (request) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.has('html')) return new Response('<h1>Hello</h1>', rows([]));
      if (searchParams.has('other'))
        return rows([{ whichRa: 1, metadata: { title: 2 }, updates: { outcome: {} } }]);
      hanging.open();
      await abort.opened;
      return rows([row({})]);
    };
    stage.page.body = [
      `${stage.gateway.url}?html`,
      `${stage.gateway.url}?other`,
      stage.gateway.url,
      'http://127.0.0.1:1/',
      'javascript:1',
      '',
    ]
      .map((url) => stage.link('10.5555/1', '', url))
      .join('');
    await visited.goto(stage.page.url);
    await hanging.opened;
    const aborted = visited.waitForEvent(
      'requestfailed',
      (request) => request.failure()?.errorText === 'net::ERR_ABORTED',
    );
    await visited.clock.fastForward(20_000);
    await aborted;
    abort.open();
    expect(await shown(visited)).toEqual(Array.from({ length: 6 }, () => ['plain']));
    expect(stage.gateway.requests).toHaveLength(3);
    expectQuiet(seen, /ERR_UNSAFE_PORT|ERR_CONNECTION_REFUSED/);
  });

  it('shows foreign markup as text, and retries an input once after `retryAfterSeconds`', async () => {
    const hostile = '<img src=x onerror="document.title = 1">';
    const notice = { kind: hostile, date: { text: hostile }, doi: { url: 'javascript:alert(1)' } };
    const parts = {
      whichRa: { status: 'FOUND', agency: { name: hostile } },
      metadata: { title: hostile },
      updates: { outcome: hostile, source: hostile, notices: [notice] },
    };
    const busy = {
      path: ['dois', 1, 'metadata'],
      extensions: { code: 'GATEWAY_BUSY', retryAfterSeconds: 3 },
    };
    stage.gateway.respond = () =>
      stage.gateway.requests.length === 1
        ? rows([row(parts), row({ metadata: null })], [busy])
        : rows([row({ metadata: null, updates: null })], [{ ...busy, path: ['dois', 0, 'metadata'] }]);
    const { page: visited, seen } = await stage.open('about:blank', {
      viewport: { width: 320, height: 640 },
    });
    await visited.clock.install();
    stage.page.body = `<p>Words before the link: ${stage.link('10.5555/1')}${stage.link('10.5555/2', 'layout="row"')}`;
    await visited.goto(stage.page.url);
    await expect.poll(() => stage.gateway.requests.length, patience).toBe(1);
    await expect
      .poll(async () => {
        await visited.clock.fastForward(3000);
        return await shown(visited);
      }, patience)
      .toEqual([
        [
          hostile,
          hostile,
          `${hostile} · ${hostile} · notice of ${hostile}`,
          `10.5555/1, ${hostile}: ${hostile}`,
        ],
        ['Crossref · retractions: not known', 'plain'],
      ]);
    await visited.clock.fastForward(60_000);
    expect(stage.inputs().slice(1)).toEqual([['https://doi.org/10.5555/2']]);
    expect(await visited.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await visited.locator('img, doi-link a[href^=javascript]').count()).toBe(0);
    expectQuiet(seen);
  });
});
