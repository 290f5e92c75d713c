// The jobs over HTTP: paths, methods and the owner of a job.

import { GatewayError } from '../../errors.ts';
import type { Answer, Handler, HttpRequest } from '../../http/request/exchange.ts';
import { preferredType } from '../../http/response/negotiate.ts';
import type { Log } from '../../log.ts';
import type { Soon } from '../../time.ts';
import type { BulkWork } from '../bulk-work.ts';
import { clientMarkOf, type JobKey, jobKeyOf } from '../job-id.ts';
import type { JobProgress } from '../queue/job-fields.ts';
import type { JobState } from '../queue/job-state.ts';
import { QueueError } from '../queue/queue-connection.ts';
import type { JobManifest, JobStore } from '../store/job-store.ts';
import type { ProgressReports } from './job-progress.ts';
import {
  errorResponse,
  INTERNAL,
  jsonResponse,
  NO_JOBS_NOW,
  NO_SUCH_JOB,
  WRONG_METHOD,
} from './job-responses.ts';
import { sendResult } from './send-result.ts';

export interface JobsFaceOptions {
  readonly store: JobStore<BulkWork>;
  /** Null if there is no such job. Rejects if the queue does not answer. */
  readonly progressOf: (key: JobKey) => Promise<JobProgress | null>;
  /** The last jobs of an API key, newest first. */
  readonly listOf: JobState['listOf'];
  readonly receive: (request: HttpRequest) => Promise<string>;
  readonly remove: (key: JobKey) => Promise<void>;
  readonly reports: ProgressReports;
  readonly page: Handler;
  /** whether jobs can be accepted and shown */
  readonly isUsable: () => boolean;
  readonly log: Pick<Log, 'error'>;
}

export interface JobsFace {
  /** `/jobs` */
  readonly all: Handler;
  /** `/jobs/{id}` */
  readonly one: Handler;
  /** `/jobs/{id}/result` */
  readonly result: Handler;
  /** other paths below `/jobs/` */
  readonly unknown: Handler;
}

/** A page of another origin may send this header only if CORS allows it, and CORS never does. */
const HEADER = 'x-doi-gateway';

const NO_HEADER = new GatewayError('BAD_USER_INPUT', {
  message:
    'The header "X-DOI-Gateway: jobs" is missing. It shows the gateway that no page of another site sends the request.',
  httpStatus: 403,
});

const COMPRESSED = new GatewayError('BAD_USER_INPUT', {
  message: 'The file is compressed, as its header Content-Encoding says. Send it uncompressed.',
  httpStatus: 415,
});

const FORM = new GatewayError('BAD_USER_INPUT', {
  message:
    'The file comes within a form (multipart). Send the file itself as the body, as curl does with -T.',
  httpStatus: 415,
});

const PAGE_OR_DATA = ['application/json', 'text/html'] as const;

export function createJobsFace(options: JobsFaceOptions): JobsFace {
  const { store, progressOf, listOf, receive, remove, reports, page, isUsable, log } = options;

  /** Responds to every failure; logs only errors of the gateway itself. */
  function guarded(work: (request: HttpRequest) => Soon<Answer>): Handler {
    return async (request) => {
      try {
        await request.work.admitRequest(request);
        const { refusal } = request.requester;
        if (refusal) throw refusal;
        return await work(request);
      } catch (error) {
        if (error instanceof GatewayError) return errorResponse(error);
        if (error instanceof QueueError) return errorResponse(NO_JOBS_NOW);
        if (!request.signal.aborted) log.error({ err: error }, 'a request for a job failed');
        return errorResponse(INTERNAL);
      }
    };
  }

  async function find(request: HttpRequest): Promise<Found> {
    const [, , id = ''] = request.path.split('/');
    const key = jobKeyOf(id);
    const manifest = key && (await store.manifest(key));
    if (key === null || manifest === null) throw NO_SUCH_JOB;
    const { client } = request.requester;
    if (manifest.owner !== null && manifest.owner !== (client.hasKey ? client.key : null)) throw NO_SUCH_JOB;
    return { id, key, manifest };
  }

  async function progressFor(key: JobKey): Promise<JobProgress> {
    if (!isUsable()) throw NO_JOBS_NOW;
    const progress = await progressOf(key);
    // The job is on disk, but the queue has lost it. Maintenance will queue the job again.
    if (progress === null) throw NO_JOBS_NOW;
    return progress;
  }

  async function list(request: HttpRequest): Promise<Answer> {
    const { client } = request.requester;
    if (!client.hasKey) throw NO_KEY;
    if (!isUsable()) throw NO_JOBS_NOW;
    await request.work.admitOperation(LIST_NEED, request);
    const listed = await listOf(clientMarkOf(client.key), MOST_LISTED);
    const jobs = listed.map(({ id, progress }) => ({
      job: reports.addressOf(id),
      ...reports.viewOf(id, progress),
    }));
    return jsonResponse(200, { jobs }, { Vary: 'Accept' });
  }

  return {
    all(request) {
      const { method } = request;
      const reads = method === 'GET' || method === 'HEAD';
      if (reads && preferredType(request, PAGE_OR_DATA) === 'text/html') return page(request);
      return guarded(async () => {
        if (reads) return list(request);
        if (method !== 'POST') return notAllowed('GET, HEAD, POST');
        checkHeader(request);
        checkBody(request);
        if (!isUsable()) throw NO_JOBS_NOW;
        const id = await receive(request);
        const key = jobKeyOf(id) as JobKey;
        const progress = await progressOf(key).catch(() => null);
        const view = progress ? reports.viewOf(id, progress) : {};
        const job = reports.addressOf(id);
        return jsonResponse(201, { job, ...view }, { Location: job });
      })(request);
    },

    one: guarded(async (request) => {
      const { method } = request;
      if (method === 'DELETE') {
        checkHeader(request);
        const { key } = await find(request);
        await remove(key);
        return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null };
      }
      if (method !== 'GET' && method !== 'HEAD') return notAllowed('GET, HEAD, DELETE');
      const { id, key } = await find(request);
      return reports.respond(request, id, key, await progressFor(key));
    }),

    result: guarded(async (request) => {
      const { method } = request;
      if (method !== 'GET' && method !== 'HEAD') return notAllowed('GET, HEAD');
      const { key, manifest } = await find(request);
      return sendResult(request, key, manifest, await store.end(key), store);
    }),

    unknown: () => errorResponse(NO_SUCH_JOB),
  };
}

interface Found {
  readonly id: string;
  readonly key: JobKey;
  readonly manifest: JobManifest<BulkWork>;
}

const MOST_LISTED = 100;

/** A job takes at most 1 kB as fields and as JSON. */
const LIST_NEED = { heapBytes: MOST_LISTED * 1_000, responseBytes: 0 };

const NO_KEY = new GatewayError('UNAUTHENTICATED', {
  message:
    'The list of your jobs needs an API key: send yours as Authorization: Bearer. Only its address leads to a job without an API key. To start a job, POST a file of names here with the header "X-DOI-Gateway: jobs".',
});

function checkHeader(request: HttpRequest): void {
  if (request.header(HEADER) !== 'jobs') throw NO_HEADER;
}

function checkBody(request: HttpRequest): void {
  const encoding = request.header('content-encoding')?.trim() || 'identity';
  if (encoding.toLowerCase() !== 'identity') throw COMPRESSED;
  if (/^\s*multipart\//i.test(request.header('content-type') ?? '')) throw FORM;
}

function notAllowed(methods: string): Answer {
  return errorResponse(WRONG_METHOD, { Allow: methods });
}
