// Over HTTP, a job belongs to its owner, and clients have limits on jobs, disk space and event streams.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bearer, createKeysFile, KEY, sha256 } from '../http/request/clients/api-key-files.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import { keepLog } from '../support/log-lines.ts';
import { withoutRedis } from '../support/redis-server.ts';
import { addressOf, ended, JOB_HEADER, jobAt, messageOf, newFleet, resultOf, uploadTo } from './job-fleet.ts';

const OTHER_KEY = 'YW5vdGhlciBrZXkgZm9yIHRlc3RzIGFsb25lLi4uCg';

describe.skipIf(withoutRedis('the owners of jobs'))('if jobs have owners', () => {
  it('a job of an API key is visible only with this key', async (context) => {
    const keys = await createKeysFile([
      { name: 'acme', sha256: sha256(KEY) },
      { name: 'other', sha256: sha256(OTHER_KEY) },
    ]);
    context.onTestFinished(() => keys.remove());
    const fleet = await newFleet(context);
    const gateway = await fleet.start({ directory: createFakeDirectory() }, { API_KEYS_FILE: keys.path });
    const address = await addressOf(await uploadTo(gateway, '10.1000/1\n', '', bearer()));
    const statusWith = async (headers: Record<string, string>) =>
      (await fetch(gateway.url + address, { headers })).status;
    expect([await statusWith(bearer()), await statusWith(bearer(OTHER_KEY)), await statusWith({})]).toEqual([
      200, 404, 404,
    ]);
    const foreign = await fetch(gateway.url + address, {
      method: 'DELETE',
      headers: { ...JOB_HEADER, ...bearer(OTHER_KEY) },
    });
    expect(foreign.status).toBe(404);
    expect(await statusWith({ authorization: 'Bearer wrong' })).toBe(401);
  });

  it('a client and all clients together have limits of jobs and bytes', async (context) => {
    const fleet = await newFleet(context, { TRUSTED_PROXIES: '127.0.0.1' });
    const directory = createHeldDirectory();
    const gateway = await fleet.start({ directory, limits: { jobsOfClient: 2, jobsOfAll: 6 } });
    const from = (address: string) => uploadTo(gateway, '10.1000/1\n', '', { 'x-forwarded-for': address });
    const first = await addressOf(await from('192.0.2.1'));
    await addressOf(await from('192.0.2.1'));
    const third = await from('192.0.2.1');
    expect(third.status).toBe(429);
    expect(await messageOf(third)).toContain('You have reached the limit of jobs');
    await addressOf(await from('192.0.2.2'));
    const fourth = await from('192.0.2.3');
    expect(fourth.status).toBe(503);
    expect(await messageOf(fourth)).toContain('The gateway has reached its limit of jobs');
    await fetch(gateway.url + first, { method: 'DELETE', headers: JOB_HEADER });
    expect((await from('192.0.2.3')).status).toBe(201);

    const small = await fleet.start({ directory, limits: { jobBytesOfClient: 1_000, jobsOfClient: 100 } });
    const large = await uploadTo(small, `doi\n${'10.1000/1\n'.repeat(100)}`);
    expect(large.status).toBe(429);
    expect(await messageOf(large)).toContain('limit of disk space');
  });
});

describe.skipIf(withoutRedis('the disk space of jobs'))('if jobs share a disk', () => {
  const WIDE = `doi${','.repeat(1_990)}\n${'a\n'.repeat(1_000)}`;

  it('a file with many columns and short rows counts as its largest possible result', async (context) => {
    const fleet = await newFleet(context, { JOBS_MAX_BYTES: '100000000' });
    const gateway = await fleet.start({
      directory: createFakeDirectory(),
      limits: { jobBytesOfClient: 1_000_000 },
    });
    const refused = await uploadTo(gateway, WIDE, '?fields=name');
    expect(refused.status).toBe(429);
    expect(await messageOf(refused)).toMatch(
      /limit of disk space.*Delete a job.*The result of the first 1,000 rows, with 1,993 columns each, can take \d/,
    );
    expect(await readdir(join(fleet.folder, 'uploads'))).toEqual([]);
    const taken = await addressOf(await uploadTo(gateway, WIDE.slice(0, 2_100), '?fields=name'));
    expect(await ended(gateway, taken)).toMatchObject({ state: 'done', unreadable: 53 });
    expect(await resultOf(gateway, taken)).toMatch(/^(.*\n)(a,{1990},,TOO_FEW_COLUMNS\n){53}$/);
  });

  it('clients without an API key share half of the disk, and a finished job frees its unused bytes', async (context) => {
    const keys = await createKeysFile([{ name: 'acme', sha256: sha256(KEY) }]);
    context.onTestFinished(() => keys.remove());
    const fleet = await newFleet(context, { JOBS_MAX_BYTES: '64000', TRUSTED_PROXIES: '127.0.0.1' });
    const directory = createHeldDirectory();
    const gateway = await fleet.start({ directory }, { API_KEYS_FILE: keys.path });
    const large = `doi\n${'10.1000/1\n'.repeat(150)}`;
    const from = (address: string) =>
      uploadTo(gateway, large, '?fields=exists', { 'x-forwarded-for': address });
    const first = await addressOf(await from('192.0.2.1'));
    const second = await from('192.0.2.2');
    expect(second.status).toBe(503);
    expect(await messageOf(second)).toContain('These clients share half of the space');
    expect((await uploadTo(gateway, large, '?fields=exists', bearer())).status).toBe(201);
    directory.answer('10.1000/1');
    await ended(gateway, first);
    expect((await from('192.0.2.2')).status).toBe(201);
    directory.answer('10.1000/1');
  });

  it('a client with many event streams of a job does not prevent streams of other clients', async (context) => {
    const fleet = await newFleet(context, { TRUSTED_PROXIES: '127.0.0.1' });
    const directory = createHeldDirectory();
    const leaving = new AbortController();
    const gateway = await fleet.start({ directory });
    const jobOf = async (client: string) =>
      addressOf(await uploadTo(gateway, '10.1000/1\n', '?fields=exists', { 'x-forwarded-for': client }));
    const streamOf = async (client: string, address: string) => {
      const headers = { accept: 'text/event-stream', 'x-forwarded-for': client };
      return (await fetch(gateway.url + address, { headers, signal: leaving.signal })).status;
    };
    const job = await jobOf('192.0.2.1');
    const statuses = await Promise.all(Array.from({ length: 200 }, () => streamOf('192.0.2.1', job)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(16);
    expect(statuses.filter((status) => status === 429)).toHaveLength(184);
    expect(await streamOf('192.0.2.2', await jobOf('192.0.2.2'))).toBe(200);
    const head = await fetch(gateway.url + job, {
      method: 'HEAD',
      headers: { accept: 'text/event-stream' },
    });
    expect(head.status).toBe(200);
    leaving.abort();
    directory.answer('10.1000/1');
  });
});

describe.skipIf(withoutRedis('the secret of a job'))('the id of a job', () => {
  it('is in no line of the log, no key of Redis and no file name', async (context) => {
    const kept = keepLog();
    const fleet = await newFleet(context, { ACCESS_LOG: 'yes', LOG_LEVEL: 'info' });
    const directory = createHeldDirectory();
    const gateway = await fleet.start({ directory, log: kept.log });
    const address = await addressOf(await uploadTo(gateway, '10.1000/1\n', '?fields=exists'));
    const id = address.replace('/jobs/', '');
    expect((await jobAt(gateway, address)).state).toBe('waiting');
    expect((await fetch(`${gateway.url}${address}/result`)).status).toBe(409);
    directory.answer('10.1000/1');
    await ended(gateway, address);
    await resultOf(gateway, address);
    // The gateway does not look up a misspelt address.
    for (const misspelt of [`${address}/`, `/${address}`, address.toUpperCase(), `${address}/results`]) {
      expect((await fetch(gateway.url + misspelt)).status).toBe(404);
    }
    expect(directory.calls.resolve).toEqual(['10.1000/1']);
    const lines = await kept.until('request', 9);
    expect(lines.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/jobs', '/jobs/{id}', '/jobs/{id}/result']),
    );
    const texts = [
      JSON.stringify(kept.lines),
      JSON.stringify(await fleet.redis.client.keys('*')),
      JSON.stringify(await readdir(fleet.folder, { recursive: true })),
      await (await fetch(`${gateway.url}/metrics`)).text(),
    ];
    for (const text of texts) expect(text).not.toContain(id);
  });
});
