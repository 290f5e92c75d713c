// When the gateway reads and parses responses. Large responses of a host come one at a time.

import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { LightAbort } from '../../src/abortable.ts';
import { steadyClock } from '../../src/time.ts';
import { createProxyClient } from '../../src/upstream/proxy-client.ts';
import { jsonReader } from '../../src/upstream/record-look-up.ts';
import { LARGE_BYTES, type ResponseReader, UpstreamResponse } from '../../src/upstream/response-body.ts';
import { startDirectoryServer } from '../support/directory-server.ts';

/** A response without a connection, whose events are logged. It waits for an earlier large response. */
function startResponse() {
  const events: string[] = [];
  let endEarlier = (): void => {};
  const earlier = new Promise<void>((resolve) => {
    endEarlier = resolve;
  });
  const largeBodies: { last: Promise<unknown> } = { last: earlier };
  const response = new UpstreamResponse({
    reader: jsonReader((json) => {
      events.push('decode');
      return json;
    }),
    maxBytes: 10 * LARGE_BYTES,
    largeBodies,
    onComplete: () => void events.push('slot free'),
  });
  response.onLeave = (isOpen) => void events.push(isOpen ? 'connection free' : 'connection closed');
  const controller = {
    pause: () => void events.push('pause'),
    resume: () => void events.push('resume'),
    abort: () => void events.push('abort'),
    aborted: false,
    paused: false,
    reason: null,
  };
  response.onRequestStart(controller);
  response.onResponseStart(controller, 200, { 'content-type': 'application/json' });
  return {
    response,
    events,
    async endEarlier() {
      endEarlier();
      await earlier;
    },
    /** Logs when the next large response can come. */
    watchNext: () => void largeBodies.last.then(() => events.push('next')),
    receive: (bytes: number, text = '') =>
      response.onResponseData(controller, Buffer.from(text.padEnd(bytes))),
  };
}

test('a response frees its connection and its slot before the gateway parses it', async () => {
  const { response, receive, events } = startResponse();
  receive(LARGE_BYTES - 1, '{}');
  receive(1);
  response.onResponseEnd();
  await Promise.resolve();
  events.push('later');
  expect((await response.outcome).answer).toEqual({});
  expect(events).toEqual(['connection free', 'slot free', 'later', 'decode']);
});

test.each([
  ['while it waits', false, ['pause', 'abort', 'next']],
  ['while it arrives', true, ['pause', 'resume', 'abort', 'next']],
])('a large response that ends %s lets the next large response come', async (_, arrives, expected) => {
  const { response, receive, endEarlier, events, watchNext } = startResponse();
  receive(LARGE_BYTES + 1, '{}');
  watchNext();
  if (arrives) await endEarlier();
  response.end(new Error('gone'));
  await expect(response.outcome).rejects.toThrow('gone');
  if (!arrives) {
    expect(events).not.toContain('next');
    await endEarlier();
  }
  await expect.poll(() => events).toEqual(expected);
});

const LENGTH: ResponseReader<number> = {
  accept: '*/*',
  wantsBody: () => true,
  parse: (_, body) => () => body.length,
};

test('a large response waits for the end of an earlier large response, but small responses do not wait', async () => {
  const slow: ServerResponse[] = [];
  const server = await startDirectoryServer((request, response) => {
    const [kind = '', bytes = ''] = request.url?.slice(1).split('-') ?? [];
    response.write('x'.repeat(Number(bytes)));
    if (kind === 'slow') slow.push(response);
    else response.end();
  });
  const client = createProxyClient({
    baseUrl: server.url,
    userAgent: 'test',
    timeoutMs: 15_000,
    maxResponseBytes: 1_000_000,
    maxConnections: 6,
    time: steadyClock,
  });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const ended: string[] = [];
  const get = async (path: string): Promise<void> => {
    await client
      .dispatch({ endpoint: 'handles', path, reader: LENGTH }, { abort: new LightAbort(), requester: null })
      .catch(() => {});
    ended.push(path);
  };
  const first = get(`/slow-${LARGE_BYTES + 1}`);
  await expect.poll(() => slow.length).toBe(1);
  for (let number = 0; number < 20; number += 1) await get('/small-10');
  const second = get(`/whole-${LARGE_BYTES + 1}`);
  for (let number = 0; number < 50; number += 1) await get('/small-10');
  expect(new Set(ended)).toEqual(new Set(['/small-10']));
  slow[0]?.destroy();
  await Promise.all([first, second]);
  expect(ended.slice(-2)).toEqual([`/slow-${LARGE_BYTES + 1}`, `/whole-${LARGE_BYTES + 1}`]);
});
