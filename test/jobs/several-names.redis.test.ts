// For cells with several names, a job writes the same rows as `doi bulk`, and counts the rows of its result.

import { beforeAll, describe, expect, test } from 'vitest';
import { OUTCOME_NAMES, ROW_OUTCOMES } from '../../src/tools/bulk/row-outcomes.ts';
import { CURATORS_FILES, CURATORS_RECORDS, curatorsBytes, curatorsPath } from '../support/curators-files.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import type { ListeningGateway } from '../support/gateway.ts';
import { withoutRedis } from '../support/redis-server.ts';
import { fakeGateway, runCli } from '../tools/cli/run-cli.ts';
import { addressOf, createJobFleet, ended, type JobFleet, resultOf, uploadTo } from './job-fleet.ts';

describe.skipIf(withoutRedis('cells with several names'))('a file of a curator', () => {
  let fleet: JobFleet;
  let gateway: ListeningGateway;

  beforeAll(async () => {
    fleet = await createJobFleet();
    gateway = await fleet.start({ directory: createFakeDirectory({ records: CURATORS_RECORDS }) });
    return () => fleet.close();
  });

  test.each(CURATORS_FILES.flatMap((file) => [false, true].map((split) => ({ ...file, isSplit: split }))))(
    '$name has the rows that `doi bulk` writes (split: $isSplit)',
    async ({ isSplit, ...file }) => {
      const { name, column, from } = file;
      const query = new URLSearchParams({
        fields: 'name,exists,meant,message',
        ...(column && { column }),
        ...(from && { input: from }),
        ...(isSplit && { split: 'yes' }),
      });
      const body = curatorsBytes(name).toString();
      const address = await addressOf(await uploadTo(gateway, body, `?${query}`));
      const job = await ended(gateway, address);
      const options = [...query].flatMap(([option, value]) => {
        const known = option === 'input' ? 'from' : option;
        return option === 'split' ? ['--split'] : [`--${known}`, value];
      });
      const bulk = await runCli(['bulk', curatorsPath(name), ...options], {
        gateway: await fakeGateway({ records: CURATORS_RECORDS }),
      });
      // `fetch` reads text without its byte order mark.
      expect(await resultOf(gateway, address)).toBe(bulk.stdout.replace(/^\uFEFF/, ''));
      const rows = isSplit ? file.split.length : file.rows.length;
      expect(job).toMatchObject({ state: 'done', rows, rowsDone: rows });
      // The counts of the job are the counts of the summary. Their sum is the number of rows.
      const counted = OUTCOME_NAMES.filter((outcome) => job[outcome] > 0);
      const words = counted.map((outcome) => `, ${job[outcome]} ${ROW_OUTCOMES[outcome]}`);
      expect(bulk.stderr.split('\n')[0]).toBe(`${rows} lines${words.join('')}.`);
      expect(counted.reduce((sum, outcome) => sum + job[outcome], 0)).toBe(rows);
    },
  );
});
