// POST /jobs: reads a file row by row and makes a job of it.

import { GatewayError } from '../../errors.ts';
import type { HttpRequest } from '../../http/request/exchange.ts';
import type { Turns } from '../../time.ts';
import { FieldsError } from '../../tools/bulk/fields.ts';
import { openTable } from '../../tools/bulk/input-table.ts';
import { TableError } from '../../tools/bulk/table-shape.ts';
import { type BulkWork, keptRow, prepareWork, SPARE_BYTES } from '../bulk-work.ts';
import { clientMarkOf, createJobId, type JobKey, jobKeyOf } from '../job-id.ts';
import type { ExceededLimit, JobClient, JobState } from '../queue/job-state.ts';
import type { JobManifest, JobStore } from '../store/job-store.ts';
import type { JobUpload } from '../store/job-upload.ts';
import { readJobQuery } from './job-query.ts';

export interface ReceiveOptions {
  readonly store: JobStore<BulkWork>;
  readonly state: JobState;
  readonly takeUp: (key: JobKey) => Promise<unknown>;
  readonly maxBytes: number;
  readonly turns: Turns;
  readonly clock: () => number;
}

/** Redis counts the bytes of an upload in steps of this size. */
const COUNTED_BYTES = 16_000_000;

/** Resolves with the id of the new job. Rejects with a GatewayError if the file is not accepted. */
export function createReceiver(options: ReceiveOptions): (request: HttpRequest) => Promise<string> {
  const { store, state, takeUp, maxBytes, turns, clock } = options;

  async function read(
    request: HttpRequest,
    upload: JobUpload,
    { client, count }: Upload,
  ): Promise<Pick<JobManifest<BulkWork>, 'name' | 'resultBytes' | 'work'>> {
    const query = readJobQuery(request);
    const body = inTurns(request.bodyParts(maxBytes), turns, client.mark);
    const table = await openTable(body, query.table);
    const { shape } = table;
    const format = query.output ?? (shape.format === 'jsonl' ? 'jsonl' : 'csv');
    const work: BulkWork = { ...query.work, shape, format };
    const { writer, size } = prepareWork(work);
    const { cells } = size;
    let resultBytes = Buffer.byteLength(writer.header);
    let counted = 0;
    const countMore = async () => {
      const bytes = upload.bytes + resultBytes;
      await count(bytes - counted, { rows: upload.rows, columns: cells, resultBytes });
      counted = bytes;
    };
    for await (const rows of table.rows) {
      for (const each of rows) {
        const row = writer.checked(each);
        const kept = keptRow(row);
        resultBytes += size.bytesOf(kept, row.name);
        await upload.add(kept, cells);
      }
      if (upload.bytes + resultBytes - counted >= COUNTED_BYTES) await countMore();
    }
    await upload.finish();
    resultBytes += (upload.offsets.length - 1) * SPARE_BYTES;
    await countMore();
    if (upload.rows === 0) throw new TableError('The file has no rows.');
    return { work, resultBytes, name: query.name };
  }

  async function receive(request: HttpRequest, id: string, key: JobKey): Promise<void> {
    const asking = request.requester.client;
    const client = { mark: clientMarkOf(asking.key), isAnonymous: !asking.hasKey };
    const count = async (bytes: number, progress: UploadProgress | null): Promise<void> => {
      const limit = await state.admit(key, client, bytes);
      if (limit !== null) throw tooMuch(limit, progress);
    };
    await count(0, null);
    const upload = await store.upload(key);
    try {
      const known = await read(request, upload, { client, count });
      const { rows, offsets } = upload;
      const owner = asking.hasKey ? asking.key : null;
      await upload.close();
      await store.publish(key, {
        version: 1,
        owner,
        ...(owner !== null && { id }),
        client: client.mark,
        createdAt: clock(),
        rows,
        offsets,
        ...known,
      });
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
      await receive(request, id, key);
    } catch (error) {
      throw clientError(error);
    }
    // The job now exists. If this call fails, another process takes up the job.
    await takeUp(key).catch(() => {});
    return id;
  };
}

function clientError(error: unknown): unknown {
  if (!(error instanceof TableError || error instanceof FieldsError)) return error;
  // The message was written for the command line. Its options have the same names as the parameters.
  const message = error.message.replaceAll('--', 'the parameter ');
  return new GatewayError('BAD_USER_INPUT', { message, cause: error });
}

/** How much of an upload has been read. */
interface UploadProgress {
  readonly rows: number;
  /** the columns of the result */
  readonly columns: number;
  readonly resultBytes: number;
}

interface Upload {
  readonly client: JobClient;
  /** Counts more bytes. Rejects if they exceed a limit. */
  readonly count: (bytes: number, progress: UploadProgress) => Promise<void>;
}

const TOO_MUCH: Readonly<Record<ExceededLimit, string>> = {
  clientJobs: 'You have as many jobs as you may have here. Delete one that has ended.',
  clientBytes:
    'Your jobs take as much room on disk as they may here. Delete a job that has ended, or send fewer rows or columns.',
  jobs: 'There are as many jobs here as there may be. Try again later.',
  bytes: 'There is no room on disk for more jobs here. Try again later, or send fewer rows or columns.',
  anonymousBytes:
    'There is no room on disk for more jobs of clients without an API key, which have half of it. Try again later or with an API key, or send fewer rows or columns.',
};

function tooMuch(limit: ExceededLimit, progress: UploadProgress | null): GatewayError {
  const isOwn = limit === 'clientJobs' || limit === 'clientBytes';
  const where = progress && progress.rows > 0 ? ` ${progressText(progress)}` : '';
  return new GatewayError(isOwn ? 'RATE_LIMITED' : 'GATEWAY_BUSY', {
    message: TOO_MUCH[limit] + where,
    details: { retryAfterSeconds: 60 },
  });
}

function progressText({ rows, columns, resultBytes }: UploadProgress): string {
  const [many, wide, large] = [rows, columns, resultBytes].map((count) => count.toLocaleString('en'));
  return `The result of the first ${many} rows, with ${wide} columns each, can take ${large} bytes.`;
}

/** With the shortest rows, a piece of this size takes a few milliseconds. */
const PIECE_BYTES = 4_096;

/** Yields a body in small pieces, each in its own slice. */
export async function* inTurns(
  source: AsyncIterable<Uint8Array>,
  turns: Turns,
  client: string,
): AsyncGenerator<Uint8Array> {
  for await (const part of source) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      await turns.next(client);
      yield part.subarray(at, at + PIECE_BYTES);
    }
  }
}
