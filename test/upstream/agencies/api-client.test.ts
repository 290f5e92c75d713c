// Works from the agencies' APIs: which requests the gateway sends, and what their responses mean.

import { describe, expect, test } from 'vitest';
import type { MetadataAnswer, WhichRaAnswer } from '../../../src/directory/directory.ts';
import { CSL, LANGUAGE } from '../../../src/works/metadata-format.ts';
import { failureOf, NOW } from '../proxy-under-test.ts';
import { ok, type Respond, send, startApiClient, work } from './api-client-under-test.ts';

const titleOf = ({ content }: MetadataAnswer) => (content as { title?: string } | null)?.title ?? null;
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `10.5555/w${at}`);

describe('a look-up', () => {
  test('of 120 names takes three lists, and each name gets its work', async () => {
    const { describeName, crossrefTargets } = await startApiClient();
    const names = numbered(120);
    const answers = await Promise.all(names.map((name) => describeName(name)));
    expect(answers.map(titleOf)).toEqual(names.map((name) => `Work ${name}`));
    expect(crossrefTargets()).toHaveLength(3);
    expect(answers[0]).toMatchObject({ source: 'Crossref', fetchedAt: NOW, stale: false });
    expect(answers[0]?.history?.updates.outcome).toBe('NONE_RECORDED');
  });

  test('begins with Which RA if the agency is unknown', async () => {
    const { describeName, directoryTargets, crossrefTargets } = await startApiClient();
    expect(titleOf(await describeName('10.5555/w1', CSL, {}))).toBe('Work 10.5555/w1');
    expect(directoryTargets().filter((target) => target.startsWith('/doiRA/'))).toEqual([
      '/doiRA/10.5555/w1',
    ]);
    expect(crossrefTargets()).toHaveLength(1);
  });

  test('of one name is a single request, and an alias gets its work', async () => {
    const primary: Respond = (_, response) => send(response, 200, { message: work('10.5555/primary') });
    const { describeName, crossrefTargets } = await startApiClient({ crossref: primary });
    const answer = await describeName('10.5555/Alias#1');
    expect(titleOf(answer)).toBe('Work 10.5555/primary');
    expect(answer.history?.updates.outcome).toBe('NOT_REPORTED');
    expect(crossrefTargets()).toEqual(['/works/10.5555%2FAlias%231']);
  });

  test('of a name that a list cannot hold is a single request', async () => {
    const { describeName, crossrefTargets } = await startApiClient();
    const odd = ['10.5555/a,b', '10.5555/é', '10.55555555555/x'];
    const answers = await Promise.all([...numbered(3), ...odd].map((name) => describeName(name)));
    expect(answers.map(titleOf)).not.toContain(null);
    expect(crossrefTargets().filter((target) => target.startsWith('/works/'))).toHaveLength(odd.length);
    expect(crossrefTargets().filter((target) => target.startsWith('/works?'))).toHaveLength(1);
  });

  test('sends the token of Metadata Plus only to Crossref', async () => {
    const tokens: unknown[] = [];
    const recording: Respond = (names, response, request) => {
      tokens.push(request.headers['crossref-plus-api-token']);
      ok(names, response, request);
    };
    const agencyOf = (name: string) => (name.includes('w0') ? 'DataCite' : 'Crossref');
    const { describeName } = await startApiClient({ crossref: recording, datacite: recording, agencyOf });
    await Promise.allSettled(numbered(2).map((name) => describeName(name)));
    expect(new Set(tokens)).toEqual(new Set(['Bearer secret', undefined]));
  });

  test('of a name of another agency uses content negotiation', async () => {
    const { describeName, crossrefTargets, directoryTargets } = await startApiClient({
      agencyOf: () => 'mEDRA',
    });
    expect(await describeName('10.5555/w1')).toMatchObject({ content: { title: 'by content negotiation' } });
    expect((await describeName('10.5555/w1')).history).toBeUndefined();
    expect(crossrefTargets()).toEqual([]);
    expect(directoryTargets()).toContain('/10.5555/w1');
  });

  test('of long names uses paths of at most 3,800 characters', async () => {
    const { describeName, crossrefTargets } = await startApiClient();
    const names = numbered(60).map((name) => `${name}-${'<'.repeat(70)}`);
    const answers = await Promise.all(names.map((name) => describeName(name)));
    expect(answers.map(titleOf)).toEqual(names.map((name) => `Work ${name}`));
    expect(Math.max(...crossrefTargets().map((target) => target.length))).toBeLessThanOrEqual(3_800);
  });

  test('sends as many requests at once as the service states', async () => {
    const held: (() => void)[] = [];
    let maxHeld = 0;
    const holding: Respond = (names, response, request) => {
      held.push(() => ok(names, response, request));
      maxHeld = Math.max(maxHeld, held.length);
      // The first response states a limit of five. Then the API holds five requests before it responds.
      if (maxHeld === 1 || held.length === 5) for (const answer of held.splice(0)) answer();
    };
    const { describeName, crossrefTargets } = await startApiClient({ crossref: holding });
    await Promise.all(numbered(50).map((name) => describeName(name)));
    maxHeld = 2;
    await Promise.all(numbered(500).map((name) => describeName(name)));
    expect(maxHeld).toBe(5);
    expect(crossrefTargets()).toHaveLength(11);
  });

  test('of a name that does not exist sends no request', async () => {
    const { describeName, directoryTargets, crossrefTargets } = await startApiClient();
    const agency = Promise.resolve({ status: 'DOES_NOT_EXIST', agency: null } as WhichRaAnswer);
    expect((await describeName('10.5555/none', CSL, { agency })).content).toBeNull();
    expect([...directoryTargets(), ...crossrefTargets()]).toEqual([]);
  });

  test('of the language of a work is a single request', async () => {
    const german: Respond = ([name = ''], response) =>
      send(response, 200, { message: { ...work(name), language: 'de' } });
    const { describeName, crossrefTargets } = await startApiClient({ crossref: german });
    const answers = await Promise.all(numbered(2).map((name) => describeName(name, LANGUAGE)));
    expect(answers.map(({ content }) => content)).toEqual(['de', 'de']);
    expect(crossrefTargets().every((target) => target.startsWith('/works/'))).toBe(true);
  });
});

describe('a name that is missing from a list', () => {
  test('gets its own request, and is absent only if the response to this request says so', async () => {
    const some: Respond = (names, response, request) => {
      if (names.length > 1) send(response, 200, { message: { items: names.slice(2).map(work) } });
      else if (names[0] === '10.5555/w0') send(response, 404, 'Resource not found.');
      else ok(names, response, request);
    };
    const { describeName } = await startApiClient({ crossref: some });
    const answers = await Promise.all(numbered(5).map((name) => describeName(name)));
    expect(answers.map((answer) => titleOf(answer) !== null)).toEqual([false, true, true, true, true]);
    expect(answers[0]).toMatchObject({ content: null, freshUntil: NOW + 3_600_000 });
  });

  test('can be at another agency, so the answer names the agency that does not have the work', async () => {
    const absent: Respond = (_, response) => send(response, 404, 'Resource not found.');
    const entry = (doi: string) => ({
      id: doi,
      type: 'dois',
      attributes: { doi, state: 'findable', titles: [{ title: 'moved' }] },
      relationships: { client: { data: { id: 'a.b' } } },
    });
    const datacite: Respond = (names, response) => send(response, 200, { data: names.map(entry) });
    const { describeName } = await startApiClient({ crossref: absent, datacite });
    const found = async (agency: string) => ({ status: 'FOUND', agency }) as WhichRaAnswer;
    const answer = await describeName('10.5555/moved', CSL, { agency: found('Crossref') });
    expect(answer).toMatchObject({ content: null, noWorkAt: 'Crossref' });
    const moved = await describeName('10.5555/moved', CSL, { agency: found('DataCite') });
    expect(moved).toMatchObject({ content: { title: 'moved' }, source: 'DataCite' });
  });
});

describe('a refused list', () => {
  const refusing =
    (isBad: (name: string) => boolean, isNamed: boolean): Respond =>
    (names, response, request) => {
      const bad = names.find(isBad);
      if (names.length === 1 || bad === undefined) return ok(names, response, request);
      const message = isNamed ? [{ type: 'doi-not-valid', value: `doi:${bad.toUpperCase()}` }] : [];
      return send(response, 400, { status: 'failed', message });
    };

  test('is sent again without the refused name if the response names it', async () => {
    const crossref = refusing((name) => name === '10.5555/w7', true);
    const { describeName, crossrefTargets } = await startApiClient({ crossref });
    const names = numbered(50);
    const answers = await Promise.all(names.map((name) => describeName(name)));
    expect(answers.map(titleOf)).toEqual(names.map((name) => `Work ${name}`));
    expect(crossrefTargets()).toHaveLength(3);
  });

  test.each([
    ['that names no name', refusing((name) => name === '10.5555/w7', false)],
    [
      'of more than a megabyte',
      ((names, response, request) => {
        if (!names.includes('10.5555/w7') || names.length === 1) ok(names, response, request);
        else send(response, 200, `{"message":"${'x'.repeat(1_100_000)}"}`);
      }) satisfies Respond,
    ],
    [
      'that is not JSON',
      ((names, response, request) => {
        if (!names.includes('10.5555/w7') || names.length === 1) ok(names, response, request);
        else send(response, 200, '{"message":');
      }) satisfies Respond,
    ],
  ])(
    'with a response %s is sent again in halves, and every other name gets its work',
    async (_, crossref) => {
      const { describeName, crossrefTargets } = await startApiClient({ crossref });
      const names = numbered(50);
      const answers = await Promise.all(names.map((name) => describeName(name)));
      expect(answers.map(titleOf)).toEqual(names.map((name) => `Work ${name}`));
      // Halves of 25, 12, 6, 3 and 1 names.
      expect(crossrefTargets().length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(50)) + 2);
    },
  );
});

describe('a failed list', () => {
  test.each([
    [429, 'UPSTREAM_RATE_LIMITED'],
    [500, 'UPSTREAM_UNAVAILABLE'],
    [503, 'UPSTREAM_UNAVAILABLE'],
  ])('with status %i fails its names without a retry', async (status, code) => {
    const failing: Respond = (_, response) => {
      response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '30' }).end('<html>secret');
    };
    const { describeName, crossrefTargets, logged } = await startApiClient({ crossref: failing });
    const failures = await Promise.all(numbered(50).map((name) => failureOf(describeName(name))));
    expect(new Set(failures.map((failure) => failure.code))).toEqual(new Set([code]));
    expect(failures[0]?.message).toContain("The agency's service");
    expect(failures[0]?.message).not.toContain('secret');
    expect(logged()).toContain('/works?');
    expect(crossrefTargets()).toHaveLength(1);
  });
});

test('after a 429, new names fail at once without a request', async () => {
  const busy: Respond = (_, response) => {
    response.writeHead(429, { 'retry-after': '30' }).end();
  };
  const { describeName, crossrefTargets } = await startApiClient({ crossref: busy });
  await failureOf(describeName('10.5555/w1'));
  const failure = await failureOf(describeName('10.5555/w2'));
  expect(failure).toMatchObject({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 30 } });
  expect(crossrefTargets()).toHaveLength(1);
});
