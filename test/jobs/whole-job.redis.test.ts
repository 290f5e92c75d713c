// A file becomes a job with a result. Redis is real, and the worker runs inside the gateway.

import { beforeAll, describe, expect, it } from 'vitest';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { withoutRedis } from '../support/redis-server.ts';
import { addressOf, createJobFleet, type JobFleet, jobAt, resultOf, uploadTo } from './job-fleet.ts';

/** The event stream of a job ends with the job. */
async function lastEventOf({ url }: ListeningGateway, address: string): Promise<unknown> {
  const response = await fetch(url + address, { headers: { accept: 'text/event-stream' } });
  const events = (await response.text()).split('\n\n').filter((event) => event.startsWith('event: progress'));
  return JSON.parse(events.at(-1)?.replace(/^event: progress\ndata: /, '') ?? '');
}

describe.skipIf(withoutRedis('jobs'))('a job', () => {
  let fleet: JobFleet;
  let gateway: ListeningGateway;
  const directory = createFakeDirectory({ records: { '10.1000/1': [urlValue('https://example.org/1')] } });

  beforeAll(async () => {
    fleet = await createJobFleet();
    gateway = await fleet.start({ directory });
    return () => fleet.close();
  });

  it('returns each row with its fields, in the order of the file', async () => {
    const file = 'id,doi\n1,10.1000/1\n2,10.1000/none\n3,no name\n';
    const address = await addressOf(await uploadTo(gateway, file, '?fields=name,exists'));
    expect(address).toMatch(/^\/jobs\/[\w-]{24}$/);
    const job = await lastEventOf(gateway, address);
    expect(job).toMatchObject({
      state: 'done',
      rows: 3,
      rowsDone: 3,
      found: 1,
      absent: 1,
      invalid: 1,
      failed: 0,
      result: `${address}/result`,
    });
    expect(await jobAt(gateway, address)).toEqual(job);
    expect(await resultOf(gateway, address)).toBe(
      'id,doi,name,exists,error\n1,10.1000/1,10.1000/1,true,\n2,10.1000/none,10.1000/none,false,\n3,no name,,,INVALID_DOI\n',
    );
  });
});
