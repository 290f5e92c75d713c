// The HTTP API of jobs: permissions, refusals and their messages, and the result.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { jobKeyOf } from '../../src/jobs/job-id.ts';
import { bearer, createKeysFile, KEY, sha256 } from '../http/request/clients/api-key-files.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import { keepLog } from '../support/log-lines.ts';
import { until, withoutRedis } from '../support/redis-server.ts';
import {
  addressOf,
  createJobFleet,
  ended,
  JOB_HEADER,
  type JobFleet,
  jobAt,
  putIn,
  resultOf,
} from './job-fleet.ts';

const OTHER_KEY = 'YW5vdGhlciBrZXkgZm9yIHRlc3RzIGFsb25lLi4uCg';

async function messageOf(response: Response): Promise<string> {
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  return errors[0]?.message ?? '';
}

describe.skipIf(withoutRedis('the face of jobs'))('the face of jobs', () => {
  let fleet: JobFleet;
  let gateway: ListeningGateway;
  let done: string;

  beforeAll(async () => {
    fleet = await createJobFleet({ MAX_JOB_BYTES: '20000' });
    gateway = await fleet.start({ directory: createFakeDirectory() });
    done = await addressOf(await putIn(gateway, 'doi\n10.1000/1\n10.1000/2\n', '?fields=name'));
    await ended(gateway, done);
    return () => fleet.close();
  });

  const at = (path: string, init: RequestInit = {}) => fetch(gateway.url + path, init);

  describe('towards pages of other sites', () => {
    it('refuses requests without the header that such pages cannot send', async () => {
      const post = await at('/jobs', { method: 'POST', body: '10.1000/1' });
      expect(post.status).toBe(403);
      expect(await messageOf(post)).toContain('X-DOI-Gateway: jobs');
      expect((await at(done, { method: 'DELETE' })).status).toBe(403);
      expect((await at(done, { method: 'DELETE', headers: { 'x-doi-gateway': 'yes' } })).status).toBe(403);
      expect((await jobAt(gateway, done)).state).toBe('done');
    });

    it.each(['/jobs', '{job}', '{job}/result'])('allows them nothing at %s', async (path) => {
      const address = path.replace('{job}', done);
      const preflight = await at(address, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-doi-gateway' },
      });
      const answers = [preflight, await at(address), await at(address, { method: 'PATCH' })];
      for (const { headers } of answers) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
    });
  });

  describe('an uploaded file', () => {
    it.each([
      ['?colum=doi', 'There is no parameter "colum".'],
      ['?fields=nme', 'There is no field "nme".'],
      ['?format=xml', 'The parameter format must be one of csv, jsonl, not "xml".'],
      ['?excel=maybe', 'The parameter excel must be one of yes, no'],
      ['?column=isbn', 'The file has no column "isbn".'],
      ['?form=ISBN', 'The parameter form must be one of name,'],
      [`?prefix=${'x'.repeat(201)}`, 'The parameter prefix is too long.'],
    ])('is refused with %s', async (query, message) => {
      const response = await putIn(gateway, 'doi\n10.1000/1\n', query);
      expect(response.status).toBe(400);
      expect(await messageOf(response)).toContain(message);
    });

    it.each([
      ['compressed', { 'content-encoding': 'gzip' }, 'Send the file uncompressed.'],
      ['within a form', { 'content-type': 'multipart/form-data; boundary=x' }, 'the file itself'],
    ])('is refused where it comes %s', async (_, headers, message) => {
      const response = await putIn(gateway, 'doi\n10.1000/1\n', '', headers);
      expect(response.status).toBe(415);
      expect(await messageOf(response)).toContain(message);
    });

    it('is refused if it has no rows, and leaves nothing', async () => {
      const before = await fleet.jobsOnDisk();
      const response = await putIn(gateway, 'doi\n');
      expect(response.status).toBe(400);
      expect(await fleet.jobsOnDisk()).toEqual(before);
      expect(await readdir(join(fleet.folder, 'uploads'))).toEqual([]);
    });

    it('is refused with 413 if it is too large, with and without Content-Length', async () => {
      const large = `doi\n${'10.1000/1\n'.repeat(5_000)}`;
      const withLength = await putIn(gateway, large);
      expect(withLength.status).toBe(413);
      const stream = new Blob([large]).stream();
      const withoutLength = await at('/jobs', {
        method: 'POST',
        headers: JOB_HEADER,
        body: stream,
        duplex: 'half',
      } as RequestInit);
      expect(withoutLength.status).toBe(413);
      expect(await readdir(join(fleet.folder, 'uploads'))).toEqual([]);
    });

    it('leaves nothing if the upload breaks off', async () => {
      const leaving = new AbortController();
      const stream = new ReadableStream({
        pull(controller) {
          controller.enqueue(Buffer.from('doi\n10.1000/1\n'));
          return new Promise(() => {});
        },
      });
      const upload = at('/jobs', {
        method: 'POST',
        headers: JOB_HEADER,
        body: stream,
        duplex: 'half',
        signal: leaving.signal,
      } as RequestInit);
      const uploads = () => readdir(join(fleet.folder, 'uploads'));
      await until('the upload has begun', async () => (await uploads()).length === 1);
      leaving.abort();
      await expect(upload).rejects.toThrow();
      await until('the upload is taken away', async () => (await uploads()).length === 0);
    });
  });

  describe('a result', () => {
    const WHOLE = 'doi,name,error\n10.1000/1,10.1000/1,\n10.1000/2,10.1000/2,\n';

    it('is a file that browsers save', async () => {
      const { status, headers } = await at(`${done}/result`, { method: 'HEAD' });
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="doi-names.csv"',
        'content-length': String(WHOLE.length),
        'content-security-policy': "default-src 'none'; sandbox",
        'referrer-policy': 'no-referrer',
        'cache-control': 'private, no-store',
        'accept-ranges': 'bytes',
      });
    });

    it.each([
      ['works.csv', 'attachment; filename="works-doi-names.csv"'],
      [
        'C:\\\\Lis"te 1.é.tsv',
        `attachment; filename="Lis_te 1._-doi-names.csv"; filename*=UTF-8''Lis_te%201.%C3%A9-doi-names.csv`,
      ],
    ])('carries the name of the upload %s', async (name, expected) => {
      const query = new URLSearchParams({ fields: 'name', name });
      const address = await addressOf(await putIn(gateway, 'doi\n10.1000/1\n', `?${query}`));
      await ended(gateway, address);
      expect((await at(`${address}/result`)).headers.get('content-disposition')).toBe(expected);
    });

    it.each([
      ['bytes=0-9', 206, WHOLE.slice(0, 10), `bytes 0-9/${WHOLE.length}`],
      ['bytes=-5', 206, WHOLE.slice(-5), `bytes ${WHOLE.length - 5}-${WHOLE.length - 1}/${WHOLE.length}`],
      ['bytes=5000-', 416, '', `bytes */${WHOLE.length}`],
      ['bytes=0-1,3-4', 200, WHOLE, null],
    ])('has the part %s', async (range, status, text, contentRange) => {
      const response = await at(`${done}/result`, { headers: { range } });
      expect(response.status).toBe(status);
      expect(await response.text()).toBe(text);
      expect(response.headers.get('content-range')).toBe(contentRange);
    });

    it('is sent whole if If-Range names another result', async () => {
      const etag = (await at(`${done}/result`)).headers.get('etag') ?? '';
      const part = (tag: string) =>
        at(`${done}/result`, { headers: { range: 'bytes=0-0', 'if-range': tag } });
      expect((await part(etag)).status).toBe(206);
      expect((await part('"another"')).status).toBe(200);
    });
  });

  it('sends no result if the job is deleted during the request', async () => {
    const address = await addressOf(await putIn(gateway, '10.1000/1\n', '?fields=name'));
    await ended(gateway, address);
    const key = jobKeyOf(address.replace('/jobs/', '')) ?? '';
    await rm(join(fleet.folder, 'jobs', key, 'output'), { recursive: true });
    expect((await at(`${address}/result`)).status).toBe(404);
  });

  it('has the same response for an unknown id and for a deleted job', async () => {
    const address = await addressOf(await putIn(gateway, 'doi\n10.1000/1\n'));
    const deleted = await at(address, { method: 'DELETE', headers: JOB_HEADER });
    expect(deleted.status).toBe(204);
    const answers = await Promise.all(
      [address, `${address}/result`, '/jobs/AAAAAAAAAAAAAAAAAAAAAAAA', '/jobs/x', '/jobs/'].map(
        async (path) => {
          const response = await at(path);
          return [response.status, await messageOf(response)];
        },
      ),
    );
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]?.[0]).toBe(404);
  });

  it('lists the methods of a path', async () => {
    const allowed = await Promise.all(
      ['/jobs', done, `${done}/result`].map(async (path) =>
        (await at(path, { method: 'PUT' })).headers.get('allow'),
      ),
    );
    expect(allowed).toEqual(['GET, HEAD, POST', 'GET, HEAD, DELETE', 'GET, HEAD']);
  });
});

describe.skipIf(withoutRedis('whose jobs'))('whose jobs they are', () => {
  it('a job of an API key is visible only with this key', async () => {
    const keys = await createKeysFile([
      { name: 'acme', sha256: sha256(KEY) },
      { name: 'other', sha256: sha256(OTHER_KEY) },
    ]);
    const fleet = await createJobFleet();
    try {
      const gateway = await fleet.start({ directory: createFakeDirectory() }, { API_KEYS_FILE: keys.path });
      const address = await addressOf(await putIn(gateway, '10.1000/1\n', '', bearer()));
      const statusWith = async (headers: Record<string, string>) =>
        (await fetch(gateway.url + address, { headers })).status;
      expect([await statusWith(bearer()), await statusWith(bearer(OTHER_KEY)), await statusWith({})]).toEqual(
        [200, 404, 404],
      );
      const foreign = await fetch(gateway.url + address, {
        method: 'DELETE',
        headers: { ...JOB_HEADER, ...bearer(OTHER_KEY) },
      });
      expect(foreign.status).toBe(404);
      expect(await statusWith({ authorization: 'Bearer wrong' })).toBe(401);
    } finally {
      await fleet.close();
      await keys.remove();
    }
  });

  it('a client and all clients together have limits of jobs and bytes', async () => {
    const fleet = await createJobFleet({ TRUSTED_PROXIES: '127.0.0.1' });
    try {
      const directory = createHeldDirectory();
      const gateway = await fleet.start({ directory, limits: { jobsOfClient: 2, jobsOfAll: 6 } });
      const from = (address: string) => putIn(gateway, '10.1000/1\n', '', { 'x-forwarded-for': address });
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
      const large = await putIn(small, `doi\n${'10.1000/1\n'.repeat(100)}`);
      expect(large.status).toBe(429);
      expect(await messageOf(large)).toContain('limit of disk space');
    } finally {
      await fleet.close();
    }
  });
});

describe.skipIf(withoutRedis('what jobs take'))('what jobs take', () => {
  const WIDE = `doi${','.repeat(1_990)}\n${'a\n'.repeat(1_000)}`;

  it('many columns and short rows count as their largest possible result', async () => {
    const fleet = await createJobFleet({ JOBS_MAX_BYTES: '100000000' });
    try {
      const gateway = await fleet.start({
        directory: createFakeDirectory(),
        limits: { jobBytesOfClient: 1_000_000 },
      });
      const refused = await putIn(gateway, WIDE, '?fields=name');
      expect(refused.status).toBe(429);
      expect(await messageOf(refused)).toMatch(
        /limit of disk space.*Delete a job.*The result of the first 1,000 rows, with 1,993 columns each, can take \d/,
      );
      expect(await readdir(join(fleet.folder, 'uploads'))).toEqual([]);
      const taken = await addressOf(await putIn(gateway, WIDE.slice(0, 2_100), '?fields=name'));
      expect(await ended(gateway, taken)).toMatchObject({ state: 'done', unreadable: 53 });
      expect(await resultOf(gateway, taken)).toMatch(/^(.*\n)(a,{1990},,TOO_FEW_COLUMNS\n){53}$/);
    } finally {
      await fleet.close();
    }
  });

  it('clients without an API key share half of the disk, and get back unused bytes of a result', async () => {
    const keys = await createKeysFile([{ name: 'acme', sha256: sha256(KEY) }]);
    const fleet = await createJobFleet({ JOBS_MAX_BYTES: '64000', TRUSTED_PROXIES: '127.0.0.1' });
    const directory = createHeldDirectory();
    try {
      const gateway = await fleet.start({ directory }, { API_KEYS_FILE: keys.path });
      const large = `doi\n${'10.1000/1\n'.repeat(150)}`;
      const from = (address: string) =>
        putIn(gateway, large, '?fields=exists', { 'x-forwarded-for': address });
      const first = await addressOf(await from('192.0.2.1'));
      const second = await from('192.0.2.2');
      expect(second.status).toBe(503);
      expect(await messageOf(second)).toContain('These clients share half of the space');
      expect((await putIn(gateway, large, '?fields=exists', bearer())).status).toBe(201);
      directory.answer('10.1000/1');
      await ended(gateway, first);
      expect((await from('192.0.2.2')).status).toBe(201);
      directory.answer('10.1000/1');
    } finally {
      await fleet.close();
      await keys.remove();
    }
  });

  it('a client with many event streams of a job does not prevent streams of other clients', async () => {
    const fleet = await createJobFleet({ TRUSTED_PROXIES: '127.0.0.1' });
    const directory = createHeldDirectory();
    const leaving = new AbortController();
    try {
      const gateway = await fleet.start({ directory });
      const jobOf = async (client: string) =>
        addressOf(await putIn(gateway, '10.1000/1\n', '?fields=exists', { 'x-forwarded-for': client }));
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
    } finally {
      leaving.abort();
      directory.answer('10.1000/1');
      await fleet.close();
    }
  });
});

describe.skipIf(withoutRedis('a stop with jobs'))('a gateway that stops', () => {
  it('opens no event streams, because a stream would delay the stop', async () => {
    const fleet = await createJobFleet();
    const directory = createHeldDirectory();
    try {
      const gateway = await fleet.start({ directory });
      const address = await addressOf(await putIn(gateway, '10.1000/1\n', '?fields=exists'));
      gateway.app.announceStop();
      const headers = { accept: 'text/event-stream' };
      expect((await fetch(gateway.url + address, { headers })).status).toBe(503);
      expect((await fetch(gateway.url + address)).status).toBe(200);
    } finally {
      directory.answer('10.1000/1');
      await fleet.close();
    }
  });
});

describe.skipIf(withoutRedis('the secret of a job'))('the id of a job', () => {
  it('is in no line of the log, no key of Redis and no file name', async () => {
    const kept = keepLog();
    const fleet = await createJobFleet({ ACCESS_LOG: 'yes', LOG_LEVEL: 'info' });
    try {
      const directory = createHeldDirectory();
      const gateway = await fleet.start({ directory, log: kept.log });
      const address = await addressOf(await putIn(gateway, '10.1000/1\n', '?fields=exists'));
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
    } finally {
      await fleet.close();
    }
  });
});
