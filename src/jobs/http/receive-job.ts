// POST /jobs: a file comes in, row by row, and becomes a job.

import { FieldsError } from '../../bulk/fields.ts';
import { openTable } from '../../bulk/table.ts';
import { TableError } from '../../bulk/table-error.ts';
import { GatewayError } from '../../errors.ts';
import type { HttpRequest } from '../../http/exchange.ts';
import { type BulkWork, keptRow, prepareWork } from '../bulk-work.ts';
import { clientMarkOf, createJobId, type JobKey, jobKeyOf } from '../job-id.ts';
import type { JobLimits, JobState } from '../queue/job-state.ts';
import type { JobStore } from '../store/job-store.ts';
import type { JobUpload } from '../store/job-upload.ts';
import { inTurns } from './in-turns.ts';
import { readJobQuery } from './job-query.ts';

export interface ReceiveOptions {
  readonly store: JobStore<BulkWork>;
  readonly state: JobState;
  readonly takeUp: (key: JobKey) => Promise<unknown>;
  readonly maxBytes: number;
  readonly clock: () => number;
}

/** Between two looks whether there is room for what has come. */
const COUNTED_BYTES = 16_000_000;

/** Resolves with the id of the new job. Rejects with a GatewayError where the file is not taken. */
export function createReceiver(options: ReceiveOptions): (request: HttpRequest) => Promise<string> {
  const { store, state, takeUp, maxBytes, clock } = options;

  /** Counts what has come to the client, and refuses what is too much. */
  async function count(key: JobKey, client: string, bytes: number): Promise<void> {
    const limit = await state.admit(key, client, bytes);
    if (limit !== null) throw tooMuch(limit);
  }

  async function read(
    request: HttpRequest,
    key: JobKey,
    client: string,
    upload: JobUpload,
  ): Promise<BulkWork> {
    const query = readJobQuery(request);
    const table = await openTable(inTurns(request.bodyParts(maxBytes)), query.table);
    const { shape } = table;
    const format = query.output ?? (shape.format === 'jsonl' ? 'jsonl' : 'csv');
    const work: BulkWork = { ...query.work, shape, format };
    const { writer } = prepareWork(work);
    let counted = 0;
    for await (const rows of table.rows) {
      for (const row of rows) await upload.add(keptRow(writer.checked(row)));
      if (upload.bytes - counted < COUNTED_BYTES) continue;
      await count(key, client, upload.bytes - counted);
      counted = upload.bytes;
    }
    await upload.finish();
    await count(key, client, upload.bytes - counted);
    if (upload.rows === 0) throw new TableError('The file has no rows.');
    return work;
  }

  async function receive(request: HttpRequest, key: JobKey): Promise<void> {
    const { client: asking } = request.asker;
    const client = clientMarkOf(asking.key);
    await count(key, client, 0);
    const upload = await store.upload(key);
    try {
      const work = await read(request, key, client, upload);
      const { rows, offsets } = upload;
      const owner = asking.hasKey ? asking.key : null;
      await upload.close();
      await store.publish(key, { version: 1, owner, client, createdAt: clock(), rows, offsets, work });
    } catch (error) {
      await upload.close().catch(() => {});
      await store.abandon(key);
      await state.forget(key);
      throw error;
    }
  }

  return async (request) => {
    const id = createJobId();
    const key = jobKeyOf(id) as JobKey;
    try {
      await receive(request, key);
    } catch (error) {
      throw told(error);
    }
    // From here on it is a job, whatever becomes of this process: should this fail, somebody else takes it up.
    await takeUp(key).catch(() => {});
    return id;
  };
}

function told(error: unknown): unknown {
  if (!(error instanceof TableError || error instanceof FieldsError)) return error;
  // Written for the command line, whose options have the names of the parameters.
  const message = error.message.replaceAll('--', 'the parameter ');
  return new GatewayError('BAD_USER_INPUT', { message, cause: error });
}

const TOO_MUCH: Readonly<Record<keyof JobLimits, string>> = {
  clientJobs: 'You have as many jobs as you may have here. Delete one that has ended.',
  clientBytes: 'Your jobs take as much room as they may here. Delete one that has ended.',
  jobs: 'There are as many jobs here as there may be. Try again later.',
  bytes: 'There is no more room for jobs here. Try again later.',
};

function tooMuch(limit: keyof JobLimits): GatewayError {
  const isOwn = limit === 'clientJobs' || limit === 'clientBytes';
  return new GatewayError(isOwn ? 'RATE_LIMITED' : 'GATEWAY_BUSY', {
    message: TOO_MUCH[limit],
    details: { retryAfterSeconds: 60 },
  });
}
