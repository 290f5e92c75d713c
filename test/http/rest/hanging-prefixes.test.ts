// A directory responds to look-ups of names, but not to look-ups of prefixes.

import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCacheUnderTest } from '../../cache/cache-under-test.ts';
import { type Behaviour, requestedNames, sendJson } from '../../support/directory-server.ts';
import { responseOf } from '../../support/http-request.ts';
import { createManualTime } from '../../upstream/manual-time.ts';
import { NOW, startProxy } from '../../upstream/proxy-under-test.ts';
import { createFace } from './face-under-test.ts';
import { locations, value } from './rest-gateway.ts';

const PAGE = 'https://example.org/page';
const DATA = 'https://data.example/';
const TURTLE = { headers: { accept: 'text/turtle' } };

/** The directory sends records of names at once, and records of prefixes when the test releases them. */
async function start() {
  const time = createManualTime();
  const held: (() => void)[] = [];
  const behaviour: Behaviour = (request, response) => {
    const [name = ''] = requestedNames(request).names;
    if (name.startsWith('0.NA/')) held.push(() => send(response, name, [NAMESPACE]));
    else send(response, name, name === '10.SERV/X' ? [CONNEG] : [value('URL', PAGE)]);
  };
  const { directory: proxy, server } = await startProxy(behaviour, {
    time,
    maxConnections: 64,
    timeoutMs: 5_000,
    deadlineMs: 20_000,
    retries: 2,
  });
  const { directory } = createCacheUnderTest({ directory: proxy });
  const face = createFace(directory, { clock: () => NOW });
  return {
    time,
    server,
    held,
    isOpen: () => !proxy.status().available,
    redirect: (name: string) => Promise.resolve(responseOf(face, `/${name}`, TURTLE)),
    lookUp: (name: string) => Promise.resolve(responseOf(face, `/api/handles/${name}`)),
  };
}

const NAMESPACE = value('HS_NAMESPACE', '<n><locs>10.SERV/X</locs></n>');
const CONNEG = locations(`<location weight="0" http_role="conneg" href="${DATA}"/>`);

function send(response: ServerResponse, handle: string, values: readonly unknown[]): void {
  sendJson(response, 200, { responseCode: 1, handle, values });
}

function isOfPrefix(target: string): boolean {
  return target.includes('/0.NA/');
}

/** Waits until `isSo`. `expect.poll` would use the fake timers of the test. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  // The spies are restored first, because a spy sets the fake timer again.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a directory that hangs on the records of prefixes', () => {
  test('delays a redirect by a second, and the look-up of the prefix continues for the next redirect', async () => {
    const { redirect, held, server } = await start();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    let ended = false;
    const first = redirect('10.1000/1').finally(() => {
      ended = true;
    });
    await until(() => held.length === 1 && timers.mock.calls.some(([, ms]) => ms === 1_000));
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await first).toMatchObject({
      status: 302,
      headers: { Location: PAGE, 'Cache-Control': 'no-store' },
    });
    for (const respond of held.splice(0)) respond();
    await until(() => server.targets.includes('/api/handles/10.SERV/X'));
    const second = await redirect('10.1000/2');
    expect(second).toMatchObject({ status: 302, headers: { Location: DATA } });
    expect(second.headers['Cache-Control']).toMatch(/^public/);
    expect(server.targets.filter(isOfPrefix)).toHaveLength(1);
  });

  test('stays available, and look-ups of names are not delayed', async () => {
    const { redirect, lookUp, held, server, time, isOpen } = await start();
    const redirects = Array.from({ length: 300 }, (_, n) => redirect(`10.${2_000 + n}/x`));
    const names = () => server.targets.filter((target) => !isOfPrefix(target)).length;
    // No time passes, because no name waits for the record of a prefix.
    await until(() => names() === 300);
    await until(() => held.length >= 32);
    await vi.advanceTimersByTimeAsync(2_000);
    for (const { status, headers } of await Promise.all(redirects)) {
      expect([status, headers['Location']]).toEqual([302, PAGE]);
    }
    for (let n = 0; n < 300; n += 1) expect((await lookUp(`10.3000/${n}`)).status).toBe(200);
    for (let seconds = 0; seconds < 60; seconds += 1) {
      time.advance(1_000);
      expect((await lookUp(`10.4000/${seconds}`)).status).toBe(200);
      expect(isOpen()).toBe(false);
    }
    expect(server.targets.filter(isOfPrefix).length).toBeGreaterThan(200);
  });
});
