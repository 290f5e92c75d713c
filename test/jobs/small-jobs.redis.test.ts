// Small jobs run at once, even if a large job occupies every worker.

import { beforeAll, describe, expect, it } from 'vitest';
import { bearer, createKeysFile } from '../http/request/clients/api-key-files.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { withoutRedis } from '../support/redis-server.ts';
import { addressOf, createJobFleet, ended, type JobFleet, jobAt, uploadTo } from './job-fleet.ts';
import { createGatedDirectory } from './job-folder.ts';

/** A name in the sixth chunk. Its look-up waits. */
const HELD = '10.1000/5500';
const LARGE = Array.from({ length: 6_000 }, (_, at) => `10.1000/${at}\n`).join('');
const SMALL = '10.1000/1\n10.1000/2\n';

describe.skipIf(withoutRedis('small jobs'))('a small job', () => {
  let fleet: JobFleet;
  let gateway: ListeningGateway;
  let large: string;
  const directory = createGatedDirectory(HELD);

  beforeAll(async () => {
    const keys = await createKeysFile();
    fleet = await createJobFleet({ API_KEYS_FILE: keys.path });
    gateway = await fleet.start({ directory, limits: { concurrentChunks: 1, chunksOfClient: 1 } });
    large = await addressOf(await uploadTo(gateway, LARGE, '?fields=exists'));
    await directory.reached;
    return async () => {
      await fleet.close();
      await keys.remove();
    };
  });

  it('of the same client is done while a large job occupies the worker', async () => {
    const small = await addressOf(await uploadTo(gateway, SMALL, '?fields=exists'));
    expect(await ended(gateway, small)).toMatchObject({ state: 'done', rowsDone: 2 });
    expect(await jobAt(gateway, large)).toMatchObject({ state: 'running', rowsDone: 5_000 });
  });

  it('of another client is done while a large job occupies the worker', async () => {
    const response = await uploadTo(gateway, SMALL, '?fields=exists', bearer());
    const small = await addressOf(response);
    const job = await ended(gateway, small, bearer());
    expect(job).toMatchObject({ state: 'done', rowsDone: 2 });
    expect(await jobAt(gateway, large)).toMatchObject({ state: 'running', rowsDone: 5_000 });
  });

  it('does not stop the large job', async () => {
    directory.open();
    expect(await ended(gateway, large)).toMatchObject({ state: 'done', rowsDone: 6_000 });
  });
});
