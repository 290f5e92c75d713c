// The HTTP API of jobs checks permissions, refuses requests with a message, and sends results.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { jobKeyOf } from '../../src/jobs/job-id.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { createHeldDirectory } from '../support/held-directory.ts';
import { until, withoutRedis } from '../support/redis-server.ts';
import {
  addressOf,
  createJobFleet,
  ended,
  JOB_HEADER,
  type JobFleet,
  jobAt,
  messageOf,
  newFleet,
  uploadTo,
} from './job-fleet.ts';

describe.skipIf(withoutRedis('the HTTP API of jobs'))('the HTTP API of jobs', () => {
  let fleet: JobFleet;
  let gateway: ListeningGateway;
  let done: string;

  beforeAll(async () => {
    fleet = await createJobFleet({ MAX_JOB_BYTES: '20000' });
    gateway = await fleet.start({ directory: createFakeDirectory() });
    done = await addressOf(await uploadTo(gateway, 'doi\n10.1000/1\n10.1000/2\n', '?fields=name'));
    await ended(gateway, done);
    return () => fleet.close();
  });

  const at = (path: string, init: RequestInit = {}) => fetch(gateway.url + path, init);

  describe('protects jobs from pages of other sites', () => {
    it('because it refuses requests without the header X-DOI-Gateway, which such pages cannot send', async () => {
      const post = await at('/jobs', { method: 'POST', body: '10.1000/1' });
      expect(post.status).toBe(403);
      expect(await messageOf(post)).toContain('X-DOI-Gateway: jobs');
      expect((await at(done, { method: 'DELETE' })).status).toBe(403);
      expect((await at(done, { method: 'DELETE', headers: { 'x-doi-gateway': 'yes' } })).status).toBe(403);
      expect((await jobAt(gateway, done)).state).toBe('done');
    });

    it.each(['/jobs', '{job}', '{job}/result'])('because it sends no CORS headers at %s', async (path) => {
      const address = path.replace('{job}', done);
      const preflight = await at(address, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-doi-gateway' },
      });
      const responses = [preflight, await at(address), await at(address, { method: 'PATCH' })];
      for (const { headers } of responses) {
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
      const response = await uploadTo(gateway, 'doi\n10.1000/1\n', query);
      expect(response.status).toBe(400);
      expect(await messageOf(response)).toContain(message);
    });

    it.each([
      ['compressed', { 'content-encoding': 'gzip' }, 'Send the file uncompressed.'],
      ['within a form', { 'content-type': 'multipart/form-data; boundary=x' }, 'the file itself'],
    ])('is refused with 415 if it is %s', async (_, headers, message) => {
      const response = await uploadTo(gateway, 'doi\n10.1000/1\n', '', headers);
      expect(response.status).toBe(415);
      expect(await messageOf(response)).toContain(message);
    });

    it('is refused if it has no rows, and leaves no files', async () => {
      const before = await fleet.jobsOnDisk();
      const response = await uploadTo(gateway, 'doi\n');
      expect(response.status).toBe(400);
      expect(await fleet.jobsOnDisk()).toEqual(before);
      expect(await readdir(join(fleet.folder, 'uploads'))).toEqual([]);
    });

    it('is refused with 413 if it is too large, with and without Content-Length', async () => {
      const large = `doi\n${'10.1000/1\n'.repeat(5_000)}`;
      const withLength = await uploadTo(gateway, large);
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

    it('leaves no files if the client aborts the upload', async () => {
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
      await until('the upload is removed', async () => (await uploads()).length === 0);
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
    ])('has the name of the upload %s', async (name, expected) => {
      const query = new URLSearchParams({ fields: 'name', name });
      const address = await addressOf(await uploadTo(gateway, 'doi\n10.1000/1\n', `?${query}`));
      await ended(gateway, address);
      expect((await at(`${address}/result`)).headers.get('content-disposition')).toBe(expected);
    });

    it.each([
      ['bytes=-5', 206, WHOLE.slice(-5), `bytes ${WHOLE.length - 5}-${WHOLE.length - 1}/${WHOLE.length}`],
      ['bytes=5000-', 416, '', `bytes */${WHOLE.length}`],
      ['bytes=0-1,3-4', 200, WHOLE, null],
    ])(
      'that is requested with the range %s gets the status %i',
      async (range, status, text, contentRange) => {
        const response = await at(`${done}/result`, { headers: { range } });
        expect(response.status).toBe(status);
        expect(await response.text()).toBe(text);
        expect(response.headers.get('content-range')).toBe(contentRange);
      },
    );

    it('is sent whole if If-Range names another result', async () => {
      const etag = (await at(`${done}/result`)).headers.get('etag') ?? '';
      const part = (tag: string) =>
        at(`${done}/result`, { headers: { range: 'bytes=0-0', 'if-range': tag } });
      expect((await part(etag)).status).toBe(206);
      expect((await part('"another"')).status).toBe(200);
    });
  });

  it('sends no result if the job is deleted while the request runs', async () => {
    const address = await addressOf(await uploadTo(gateway, '10.1000/1\n', '?fields=name'));
    await ended(gateway, address);
    const key = jobKeyOf(address.replace('/jobs/', '')) ?? '';
    await rm(join(fleet.folder, 'jobs', key, 'output'), { recursive: true });
    expect((await at(`${address}/result`)).status).toBe(404);
  });

  it('sends the same response for an unknown id and for a deleted job', async () => {
    const address = await addressOf(await uploadTo(gateway, 'doi\n10.1000/1\n'));
    const deleted = await at(address, { method: 'DELETE', headers: JOB_HEADER });
    expect(deleted.status).toBe(204);
    const responses = await Promise.all(
      [address, `${address}/result`, '/jobs/AAAAAAAAAAAAAAAAAAAAAAAA', '/jobs/x', '/jobs/'].map(
        async (path) => {
          const response = await at(path);
          return [response.status, await messageOf(response)];
        },
      ),
    );
    expect(new Set(responses.map(String)).size).toBe(1);
    expect(responses[0]?.[0]).toBe(404);
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

describe.skipIf(withoutRedis('a stop with jobs'))('a gateway that stops', () => {
  it('opens no event streams, which would delay the stop', async (context) => {
    const fleet = await newFleet(context);
    const directory = createHeldDirectory();
    const gateway = await fleet.start({ directory });
    const address = await addressOf(await uploadTo(gateway, '10.1000/1\n', '?fields=exists'));
    gateway.app.announceStop();
    const headers = { accept: 'text/event-stream' };
    expect((await fetch(gateway.url + address, { headers })).status).toBe(503);
    expect((await fetch(gateway.url + address)).status).toBe(200);
    directory.answer('10.1000/1');
  });
});
