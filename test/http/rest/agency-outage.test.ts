// During an outage of an agency, programs get cached metadata. For other works, the gateway redirects programs.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCacheUnderTest, DAY, DOWN, HOUR, SECOND } from '../../cache/cache-under-test.ts';
import { createFakeDirectory, type FakeDirectoryOptions } from '../../support/fake-directory.ts';
import { responseOf } from '../../support/http-request.ts';
import { createVirtualClock, settled } from '../../support/virtual-clock.ts';
import { createFace } from './face-under-test.ts';
import { locations, value } from './rest-gateway.ts';

const SERVICE = 'https://data.example/';
const RECORD = [
  value('URL', 'https://example.org/page'),
  locations(`<location weight="0" http_role="conneg" href="${SERVICE}"/>`),
];
const TYPES = [
  'application/vnd.citationstyles.csl+json',
  'application/x-bibtex',
  'application/x-research-info-systems',
  'text/x-bibliography; style=apa',
];

type Outage = 'fails' | 'hangs' | 'is skipped';

function start() {
  const clock = createVirtualClock();
  let outage: Outage | null = null;
  const work: NonNullable<FakeDirectoryOptions['metadata']>[string] = async (_, { kind }) => {
    if (outage === 'hangs') return new Promise(() => {});
    if (outage !== null) throw DOWN;
    return kind === 'csl' ? { type: 'book', title: 'T' } : 'T.';
  };
  const names = ['10.1000/known', '10.1000/unknown'];
  const fake = createFakeDirectory({
    now: clock.now,
    records: Object.fromEntries(names.map((name) => [name, RECORD])),
    metadata: Object.fromEntries(names.map((name) => [name, work])),
  });
  const { directory } = createCacheUnderTest({
    clock,
    directory: { ...fake, isServiceBusy: () => outage === 'is skipped' },
  });
  const face = createFace(directory, { clock: clock.now });
  /** `[status, Location, Cache-Control]`. The clock advances until the response arrives. */
  async function get(path: string, accept: string): Promise<readonly unknown[]> {
    let done = false;
    const response = Promise.resolve(responseOf(face, path, { headers: { accept } })).finally(() => {
      done = true;
    });
    await settled();
    for (let seconds = 0; !done && seconds < 10; seconds += 1) {
      await vi.advanceTimersByTimeAsync(SECOND);
      await clock.advance(SECOND);
    }
    const { status, headers } = await response;
    return [status, headers['Location'] ?? null, headers['Cache-Control']];
  }
  return {
    clock,
    get,
    begin: (kind: Outage) => {
      outage = kind;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each<Outage>(['fails', 'hangs', 'is skipped'])(
  'while the service of the agency %s for a day',
  (kind) => {
    test('programs get the metadata of known works, are redirected for unknown works, and no request fails', async () => {
      const { clock, get, begin } = start();
      for (const type of TYPES)
        expect(await get('/10.1000/known', type)).toEqual([200, null, expect.any(String)]);
      await clock.advance(DAY - HOUR);
      begin(kind);
      const responses: (readonly unknown[])[] = [];
      for (let hour = 0; hour < 24; hour += 3) {
        await clock.advance(3 * HOUR);
        for (const type of TYPES) {
          expect(await get('/10.1000/unknown', type)).toEqual([302, SERVICE, 'no-store']);
          responses.push(await get('/10.1000/known', type));
        }
      }
      expect(responses).toEqual(responses.map(() => [200, null, 'no-store']));
    });
  },
);
