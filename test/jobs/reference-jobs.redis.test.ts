// Jobs of tables without DOIs, with a real Redis. The tests check their results, their refusals, and other jobs.

import { beforeAll, describe, expect, it } from 'vitest';
import type { JobView } from '../../src/jobs/http/job-progress.ts';
import { createFakeDirectory, type FakeDirectory, NOW } from '../support/fake-directory.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { until, withoutRedis } from '../support/redis-server.ts';
import { addressOf, createJobFleet, ended, type JobFleet, jobAt, resultOf, uploadTo } from './job-fleet.ts';
import { createGate } from './job-folder.ts';

/** A directory that finds a work for each reference with the word `pumps`. A search with the word `held` waits. */
function createSearchingDirectory() {
  const gate = createGate();
  const reached = createGate();
  const searched: string[] = [];
  const directory: FakeDirectory = {
    ...createFakeDirectory(),
    matchesReferences: true,
    async describe(words) {
      searched.push(words);
      if (words.includes('held')) {
        reached.open();
        await gate.opened;
      }
      const work = words.includes('pumps')
        ? { doi: '10.5555/pumps', evidence: [{ detail: 'TITLE', verdict: 'AGREES' }] }
        : null;
      const content = { outcome: work ? 'FOUND' : 'NOT_FOUND', work, candidates: [], sources: ['Crossref'] };
      const freshUntil = NOW + 60_000;
      return { content: content as never, source: 'Crossref', fetchedAt: NOW, freshUntil, stale: false };
    },
  };
  return { directory, searched, reached: reached.opened, open: gate.open };
}

async function messageOf(response: Response): Promise<string> {
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  return `${response.status} ${errors[0]?.message}`;
}

async function failedAttemptsOf({ url }: ListeningGateway): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^doi_gateway_job_failed_attempts_total (\d+)$/m.exec(text)?.[1]);
}

describe.skipIf(withoutRedis('jobs with references'))('a job with references', () => {
  let fleet: JobFleet;
  let gateway: ListeningGateway;
  const { directory, searched, reached, open } = createSearchingDirectory();

  beforeAll(async () => {
    fleet = await createJobFleet();
    gateway = await fleet.start({ directory, limits: { concurrentReferenceChunks: 1 } });
    return () => fleet.close();
  });

  it('searches for the work of each row, and counts the outcomes', async () => {
    const file = 'id,who,what\n1,Berger,Alpine  pumps\n2,Marsh,Ferries\n3,,\n';
    const address = await addressOf(await uploadTo(gateway, file, '?reference=who,what&fields=exists'));
    const counts = { found: 1, notFound: 1, empty: 1, absent: 0, answered: 0, failed: 0 };
    expect(await ended(gateway, address)).toMatchObject({ state: 'done', rows: 3, rowsDone: 3, ...counts });
    expect(new Set(searched)).toEqual(new Set(['Berger. Alpine pumps', 'Marsh. Ferries']));
    expect(await resultOf(gateway, address)).toBe(
      'id,who,what,outcome,doi,agrees,differs,candidates,exists,error\n1,Berger,Alpine  pumps,found,10.5555/pumps,title,,,false,\n2,Marsh,Ferries,not found,,,,,,\n3,,,,,,,,,EMPTY\n',
    );
  });

  it('reads one reference from each line of a plain file', async () => {
    const address = await addressOf(
      await uploadTo(gateway, 'Berger, pumps\nMarsh, ferries\n', '?reference=1&input=lines'),
    );
    expect(await ended(gateway, address)).toMatchObject({ found: 1, notFound: 1 });
  });

  it.each([
    ['?reference=who,titel', '400 The file has no column "titel". It has "who", "what".'],
    ['?reference=who&column=what', '400 The parameter reference and the parameter column do not go together'],
    ['?reference=who&split', '400 The parameter reference and the parameter split do not go together'],
    [
      `?reference=${'who,'.repeat(21)}`,
      '400 The parameter reference has 21 columns. At most 20 are allowed.',
    ],
    ['?reference=,', '400 The parameter reference needs columns'],
    ['?reference=who&fields=outcome', '400 There is no field "outcome".'],
  ])('is refused with %s', async (query, message) => {
    expect(await messageOf(await uploadTo(gateway, 'who,what\nBerger,pumps\n', query))).toContain(message);
  });

  it('is refused by a gateway that does not search for references, and its worker takes no such job', async () => {
    const other = await fleet.start({ directory: createFakeDirectory() });
    const response = await uploadTo(other, 'who,what\nBerger,pumps\n', '?reference=who,what');
    expect(await messageOf(response)).toContain('400 This gateway does not search for references.');
    const addresses = await Promise.all(
      ['one', 'two', 'three'].map(async (word) =>
        addressOf(await uploadTo(gateway, `${word} pumps\n`, '?reference=1&input=lines')),
      ),
    );
    for (const address of addresses) expect(await ended(other, address)).toMatchObject({ found: 1 });
    expect(await failedAttemptsOf(other)).toBe(0);
  });

  it('does not delay jobs with names, and continues from the disk after Redis has lost everything', async () => {
    const rows = Array.from({ length: 101 }, (_, at) => `pumps ${at}${at === 60 ? ' held' : ''}\n`);
    const address = await addressOf(
      await uploadTo(gateway, `what\n${rows.join('')}`, '?reference=what&input=csv'),
    );
    await reached;
    const names = await addressOf(await uploadTo(gateway, 'doi\n10.1000/1\n', '?fields=exists'));
    expect(await ended(gateway, names)).toMatchObject({ state: 'done', absent: 1 });
    expect(await jobAt(gateway, address)).toMatchObject({ state: 'running', rowsDone: 50 });
    await fleet.redis.restart();
    open();
    await until('the job is done', async () => {
      const response = await fetch(gateway.url + address);
      return response.status === 200 && ((await response.json()) as JobView).state === 'done';
    });
    expect(await jobAt(gateway, address)).toMatchObject({ rowsDone: 101, found: 101 });
    const lines = (await resultOf(gateway, address)).split('\n').slice(1, -1);
    expect(lines).toEqual(rows.map((row) => `${row.trimEnd()},found,10.5555/pumps,title,,,`));
  });
});
