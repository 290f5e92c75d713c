// POST /jobs: reads a file row by row, and creates a job from it.

import type { Config } from '../../config.ts';
import { GatewayError, matchingOff } from '../../errors.ts';
import type { HttpRequest } from '../../http/request/exchange.ts';
import { FieldsError } from '../../tools/bulk/fields.ts';
import { openTable } from '../../tools/bulk/input-table.ts';
import { TableError } from '../../tools/bulk/table-shape.ts';
import type { TurnsOfLongTasks } from '../../turns.ts';
import { prepareTask, SPARE_BYTES, storedRow } from '../answer-chunk.ts';
import type { JobCourse } from '../job-course.ts';
import { clientMarkOf, createJobId, type JobKey, jobKeyOf } from '../job-id.ts';
import { createAdmissions } from '../queue/admissions.ts';
import type { ExceededLimit, JobState } from '../queue/job-state.ts';
import { isDiskFull } from '../store/chunk-files.ts';
import { hasReferences, type JobManifest, type JobStore, type JobTask } from '../store/job-store.ts';
import { CHUNK_ROWS, type JobUpload } from '../store/job-upload.ts';
import { readJobQuery } from './job-query.ts';

export interface ReceiveOptions {
  readonly store: JobStore;
  readonly state: JobState;
  readonly course: JobCourse;
  readonly config: Pick<Config, 'MAX_JOB_BYTES'>;
  readonly turns: TurnsOfLongTasks;
  readonly clock: () => number;
  /** whether the gateway searches for the works of references in words */
  readonly matchesReferences: boolean;
}

/** The receiver reports the size of an upload to Redis in steps of this many bytes. */
const REPORT_EVERY_BYTES = 16_000_000;

/** The function resolves with the id of the new job. It rejects with a GatewayError if the gateway refuses the file. */
export function createReceiver(options: ReceiveOptions): (request: HttpRequest) => Promise<string> {
  const { store, state, course, config, turns, clock, matchesReferences } = options;
  const inTurn = createAdmissions();

  /** Reads the rows of the file into the upload. Its last rows may not be on disk yet. */
  async function read(
    request: HttpRequest,
    upload: JobUpload,
    clientMark: string,
    reportSize: (resultBytes: number, columns: number) => Promise<void>,
  ): Promise<UploadedTable> {
    const query = readJobQuery(request);
    if (query.table.reference !== undefined && !matchesReferences) throw matchingOff();
    const body = inPieces(request.bodyParts(config.MAX_JOB_BYTES), turns, clientMark);
    const table = await openTable(body, query.table);
    const { shape } = table;
    const format = query.output ?? (shape.format === 'jsonl' ? 'jsonl' : 'csv');
    const task: JobTask = { ...query.task, shape, format };
    const { writer, split, size } = prepareTask(task);
    const { cells: columns } = size;
    const maxRows = CHUNK_ROWS[hasReferences(task) ? 'references' : 'names'];
    let resultBytes = Buffer.byteLength(writer.header);
    let reportedBytes = 0;
    for await (const rows of table.rows) {
      for (const inputRow of rows) {
        const row = writer.checked(inputRow);
        const stored = storedRow(row);
        const parts = split?.(row) ?? [];
        // The cell might exist as one name, so the row itself also counts.
        resultBytes += size.bytesOf(stored, row.name);
        for (const part of parts) resultBytes += size.bytesOf(storedRow(part), part.name);
        await upload.add(stored, columns * (1 + parts.length), maxRows);
      }
      const bytes = upload.bytes + resultBytes;
      if (bytes - reportedBytes < REPORT_EVERY_BYTES) continue;
      await reportSize(resultBytes, columns);
      reportedBytes = bytes;
    }
    return { work: task, columns, resultBytes, name: query.name };
  }

  /** Redis and the disk receive few uploads at the same time. This must not wait for the client. */
  async function receive(request: HttpRequest, id: string, key: JobKey): Promise<void> {
    const httpClient = request.requester.client;
    const client = { mark: clientMarkOf(httpClient.key), isAnonymous: !httpClient.hasKey };
    let admittedBytes = 0;

    async function admit(bytes: number, progress: UploadProgress | null): Promise<void> {
      for (;;) {
        const excess = await state.admit(key, client, bytes - admittedBytes);
        if (excess === null) break;
        if (excess.victim === null) throw limitError(excess.limit, progress);
        await course.remove(excess.victim);
      }
      admittedBytes = bytes;
    }

    const admitSize = ({ bytes, rows }: JobUpload, resultBytes: number, columns: number): Promise<void> =>
      admit(bytes + resultBytes, { rows, columns, resultBytes });

    /** Runs a step when it is the turn of the client. The client may have left while it waited. */
    const step = <Result>(action: () => Promise<Result>): Promise<Result> =>
      inTurn(client.isAnonymous ? null : client.mark, async () => {
        request.signal.throwIfAborted();
        return action();
      });

    async function publish(upload: JobUpload, { columns, ...table }: UploadedTable): Promise<void> {
      await upload.finish();
      const { rows, offsets } = upload;
      const resultBytes = table.resultBytes + (offsets.length - 1) * SPARE_BYTES;
      await admitSize(upload, resultBytes, columns);
      if (rows === 0) throw new TableError('The file has no rows.');
      const owner = httpClient.hasKey ? httpClient.key : null;
      await upload.close();
      await store.publish(key, {
        version: 1,
        owner,
        ...(owner !== null && { id }),
        client: client.mark,
        createdAt: clock(),
        rows,
        offsets,
        ...table,
        resultBytes,
      });
      // The job now exists on disk. If `takeUp` fails, maintenance in any process takes up the job.
      await course.takeUp(key).catch(() => {});
    }

    let upload: JobUpload | null = null;
    await step(() => admit(0, null));
    try {
      const opened = await step(() => store.upload(key));
      upload = opened;
      const table = await read(request, opened, client.mark, (resultBytes, columns) =>
        step(() => admitSize(opened, resultBytes, columns)),
      );
      await step(() => publish(opened, table));
    } catch (error) {
      await upload?.close().catch(() => {});
      await store.abandon(key);
      // Also removes the job if the disk failed after the job was published.
      await course.remove(key);
      throw clientError(error);
    }
  }

  return async (request) => {
    const id = createJobId();
    const key = jobKeyOf(id) as JobKey;
    await receive(request, id, key);
    return id;
  };
}

interface UploadedTable extends Pick<JobManifest, 'name' | 'work'> {
  /** the columns of the result */
  readonly columns: number;
  /** the largest possible size of the result, without the spare bytes of its chunks */
  readonly resultBytes: number;
}

function clientError(error: unknown): unknown {
  if (isDiskFull(error)) return new GatewayError('GATEWAY_BUSY', { ...DISK_FULL, cause: error });
  if (!(error instanceof TableError || error instanceof FieldsError)) return error;
  // The message names options of the command line. The parameters have the same names without `--`.
  const message = error.message.replace(/^--/, 'The parameter ').replaceAll('--', 'the parameter ');
  return new GatewayError('BAD_USER_INPUT', { message, cause: error });
}

/** For error messages: the rows of an upload that the gateway has read, and the size of their result. */
interface UploadProgress {
  readonly rows: number;
  /** the columns of the result */
  readonly columns: number;
  readonly resultBytes: number;
}

const DISK_FULL = {
  message: 'The disk of the gateway is full. The gateway has not kept the file. Try again later.',
  details: { retryAfterSeconds: 60 },
};

const LIMIT_MESSAGES: Readonly<Record<ExceededLimit, string>> = {
  clientJobs:
    'You have reached the limit of jobs for a client. Wait until one of your jobs ends, or delete a job.',
  clientBytes:
    'Your jobs have reached the limit of disk space for a client. Delete a job, wait until a job ends, or send fewer rows or columns.',
  jobs: 'The gateway has reached its limit of jobs. Try again later.',
  bytes: 'The gateway has no disk space for more jobs. Try again later, or send fewer rows or columns.',
  anonymousJobs:
    'The gateway has reached its limit of jobs of clients without an API key. These clients share half of the jobs. Try again later or with an API key.',
  anonymousBytes:
    'The gateway has no disk space for more jobs of clients without an API key. These clients share half of the space. Try again later or with an API key, or send fewer rows or columns.',
};

function limitError(limit: ExceededLimit, progress: UploadProgress | null): GatewayError {
  const isOwn = limit === 'clientJobs' || limit === 'clientBytes';
  const sizeNote = progress && progress.rows > 0 ? ` ${progressText(progress)}` : '';
  return new GatewayError(isOwn ? 'RATE_LIMITED' : 'GATEWAY_BUSY', {
    message: LIMIT_MESSAGES[limit] + sizeNote,
    details: { retryAfterSeconds: 60 },
  });
}

function progressText({ rows, columns, resultBytes }: UploadProgress): string {
  const text = (count: number) => count.toLocaleString('en');
  return `The result of the first ${text(rows)} rows, with ${text(columns)} columns each, can take ${text(resultBytes)} bytes.`;
}

/** A piece of this size with the shortest rows needs a few milliseconds of processor time. */
const PIECE_BYTES = 4_096;

/** Yields a body in small pieces. Lets other tasks run before each piece. */
export async function* inPieces(
  source: AsyncIterable<Uint8Array>,
  turns: TurnsOfLongTasks,
  client: string,
): AsyncGenerator<Uint8Array> {
  for await (const part of source) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      await turns.next(client);
      yield part.subarray(at, at + PIECE_BYTES);
    }
  }
}
