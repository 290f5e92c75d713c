// GET /jobs lists the jobs of an API key, for a client that has lost their addresses.

import { beforeEach, describe, expect, it } from 'vitest';
import type { JobView } from '../../src/jobs/http/job-progress.ts';
import { bearer, createKeysFile, KEY, sha256 } from '../http/request/clients/api-key-files.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { until, withoutRedis } from '../support/redis-server.ts';
import { addressOf, createJobFleet, ended, type JobFleet, uploadTo } from './job-fleet.ts';

const OTHER_KEY = 'YW5vdGhlciBrZXkgZm9yIHRlc3RzIGFsb25lLi4uCg';

interface Listed extends JobView {
  readonly job: string;
}

describe.skipIf(withoutRedis('the list of jobs'))('the list of jobs', () => {
  let fleet: JobFleet;
  let gateway: ListeningGateway;

  beforeEach(async () => {
    const keys = await createKeysFile([
      { name: 'acme', sha256: sha256(KEY) },
      { name: 'other', sha256: sha256(OTHER_KEY) },
    ]);
    fleet = await createJobFleet({ API_KEYS_FILE: keys.path });
    gateway = await fleet.start({ directory: createFakeDirectory() });
    return async () => {
      await fleet.close();
      await keys.remove();
    };
  });

  const get = (headers: Readonly<Record<string, string>>) => fetch(`${gateway.url}/jobs`, { headers });

  async function list(key?: string): Promise<readonly Listed[]> {
    const response = await get(bearer(key));
    expect(response.status).toBe(200);
    return ((await response.json()) as { jobs: Listed[] }).jobs;
  }

  const addresses = async (key?: string) => (await list(key)).map(({ job }) => job).toSorted();

  async function newJob(headers: Readonly<Record<string, string>>): Promise<string> {
    const address = await addressOf(await uploadTo(gateway, '10.1000/1\n', '?fields=name', headers));
    await ended(gateway, address, headers);
    return address;
  }

  it('has only the jobs of the API key, and each job as its own address shows it', async () => {
    expect(await list()).toEqual([]);
    const own = [await newJob(bearer()), await newJob(bearer())];
    const others = await newJob(bearer(OTHER_KEY));
    await newJob({});
    expect(await addresses()).toEqual(own.toSorted());
    const [listed] = await list(OTHER_KEY);
    const shown = await fetch(gateway.url + others, { headers: bearer(OTHER_KEY) });
    expect(listed).toEqual({ job: others, ...((await shown.json()) as object) });
    expect(listed).toMatchObject({ state: 'done', rows: 1, result: `${others}/result` });
  });

  it('must not be stored by caches, and has no body for HEAD', async () => {
    expect(Object.fromEntries((await get(bearer())).headers)).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      vary: expect.stringContaining('Accept'),
    });
    const head = await fetch(`${gateway.url}/jobs`, { method: 'HEAD', headers: bearer() });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('is the same after Redis has lost everything', async () => {
    const own = [await newJob(bearer()), await newJob(bearer())].toSorted();
    await fleet.redis.client.flushall();
    await until('both are back', async () => (await list()).length === 2);
    expect(await addresses()).toEqual(own);
  });

  it('needs an API key, and a browser gets the page of jobs instead', async () => {
    const refused = await get({});
    expect(refused.status).toBe(401);
    const { errors } = (await refused.json()) as { errors: { message: string; extensions: object }[] };
    expect(errors[0]?.message).toMatch(
      /^To list your jobs, send your API key as Authorization: Bearer.*POST a file of names here/,
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await get({ authorization: 'Bearer wrong' })).status).toBe(401);
    const page = await get({ accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('is refused while Redis is down', async () => {
    await fleet.redis.kill();
    const response = await get(bearer());
    expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
    // A gateway without its Redis takes three seconds to end.
    await fleet.redis.restart();
  });
});
