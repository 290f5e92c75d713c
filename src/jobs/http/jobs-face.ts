// The HTTP API of jobs. Checks the path, the method and the owner of a job.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { GatewayError } from '../../errors.ts';
import type { Handler, HttpRequest, HttpResponse } from '../../http/request/exchange.ts';
import type { Route } from '../../http/request/router.ts';
import { preferredType } from '../../http/response/negotiate.ts';
import type { Log } from '../../log.ts';
import { RESERVED_BYTES } from '../../memory/reserved-bytes.ts';
import type { Soon } from '../../time.ts';
import { clientMarkOf, type JobKey, jobKeyOf } from '../job-id.ts';
import type { JobProgress } from '../queue/job-fields.ts';
import { QueueError } from '../queue/queue-connection.ts';
import { createProgressReports } from './job-progress.ts';
import {
  errorResponse,
  INTERNAL_ERROR,
  jsonResponse,
  NO_JOBS_NOW,
  NO_SUCH_JOB,
  WRONG_JOB_METHOD,
} from './job-responses.ts';
import { createJobsPage } from './jobs-page.ts';
import { createReceiver, type ReceiveOptions } from './receive-job.ts';
import { sendResult } from './send-result.ts';

interface JobsFaceOptions extends ReceiveOptions {
  readonly config: Pick<Config, 'MAX_JOB_BYTES' | 'PUBLIC_URL'>;
  /** the time from the end of a job to its deletion */
  readonly keepMs: number;
  /** whether Redis answers, so that the gateway can accept and show jobs */
  readonly isQueueUsable: () => boolean;
  readonly log: Pick<Log, 'error'>;
}

/** A page of another origin can send this header only if CORS allows the header. The gateway never allows it. */
const PROOF_HEADER = 'x-doi-gateway';

const HEADER_MISSING = new GatewayError('BAD_USER_INPUT', {
  message:
    'The header "X-DOI-Gateway: jobs" is missing. It proves to the gateway that no page of another site sends the request.',
  httpStatus: 403,
});

const COMPRESSED_FILE = new GatewayError('BAD_USER_INPUT', {
  message: 'The header Content-Encoding says that the file is compressed. Send the file uncompressed.',
  httpStatus: 415,
});

const FILE_IN_FORM = new GatewayError('BAD_USER_INPUT', {
  message: 'The file is inside a form (multipart). Send the file itself as the body, as curl does with -T.',
  httpStatus: 415,
});

const PAGE_OR_DATA = ['application/json', 'text/html'] as const;

export function createJobsFace(options: JobsFaceOptions) {
  const { config, store, state, course, keepMs, isQueueUsable, log } = options;
  const receive = createReceiver(options);
  const base = config.PUBLIC_URL ?? '';
  const reports = createProgressReports({ progressOf: state.progress, keepMs, base, sleep });
  const page = createJobsPage(config.PUBLIC_URL);

  /** Converts every failure to a response. Logs a failure only if neither the client nor the queue caused it. */
  function withErrorResponses(handler: (request: HttpRequest) => Soon<HttpResponse>): Handler {
    return async (request) => {
      try {
        await request.reservation.admitRequest(request);
        const { refusal } = request.requester;
        if (refusal) throw refusal;
        return await handler(request);
      } catch (error) {
        if (error instanceof GatewayError) return errorResponse(error);
        if (error instanceof QueueError) return errorResponse(NO_JOBS_NOW);
        if (!request.signal.aborted) log.error({ err: error }, 'a request for a job failed');
        return errorResponse(INTERNAL_ERROR);
      }
    };
  }

  async function findJob(request: HttpRequest) {
    const [, , id = ''] = request.path.split('/');
    const key = jobKeyOf(id);
    const manifest = key && (await store.manifest(key));
    if (key === null || manifest === null) throw NO_SUCH_JOB;
    const { client } = request.requester;
    if (manifest.owner !== null && manifest.owner !== (client.hasKey ? client.key : null)) throw NO_SUCH_JOB;
    return { id, key, manifest };
  }

  async function progressFor(key: JobKey): Promise<JobProgress> {
    const progress = isQueueUsable() ? await state.progress(key) : null;
    // If Redis has lost the job, maintenance will queue the job again from the disk.
    if (progress === null) throw NO_JOBS_NOW;
    return progress;
  }

  async function listJobs(request: HttpRequest): Promise<HttpResponse> {
    const { client } = request.requester;
    if (!client.hasKey) throw NO_KEY;
    if (!isQueueUsable()) throw NO_JOBS_NOW;
    await request.reservation.admitOperation(LIST_NEED, request);
    const listed = await state.listOf(clientMarkOf(client.key), MAX_LISTED_JOBS);
    const jobs = listed.map(({ id, progress }) => ({
      job: reports.addressOf(id),
      ...reports.viewOf(id, progress),
    }));
    return jsonResponse(200, { jobs }, { Vary: 'Accept' });
  }

  /** `/jobs` */
  function handleJobs(request: HttpRequest): Soon<HttpResponse> {
    const { method } = request;
    if (isReadMethod(method) && preferredType(request, PAGE_OR_DATA) === 'text/html')
      return page.page(request);
    return withErrorResponses(async () => {
      if (isReadMethod(method)) return listJobs(request);
      if (method !== 'POST') return notAllowed('GET, HEAD, POST');
      checkHeader(request);
      checkBody(request);
      if (!isQueueUsable()) throw NO_JOBS_NOW;
      const id = await receive(request);
      const key = jobKeyOf(id) as JobKey;
      const progress = await state.progress(key).catch(() => null);
      const view = progress ? reports.viewOf(id, progress) : {};
      const job = reports.addressOf(id);
      return jsonResponse(201, { job, ...view }, { Location: job });
    })(request);
  }

  /** `/jobs/{id}` */
  const handleJob = withErrorResponses(async (request) => {
    if (request.method === 'DELETE') {
      checkHeader(request);
      const { key } = await findJob(request);
      await course.remove(key);
      return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null };
    }
    if (!isReadMethod(request.method)) return notAllowed('GET, HEAD, DELETE');
    const { id, key } = await findJob(request);
    return reports.respond(request, id, key, await progressFor(key));
  });

  const handleResult = withErrorResponses(async (request) => {
    if (!isReadMethod(request.method)) return notAllowed('GET, HEAD');
    const { key, manifest } = await findJob(request);
    return sendResult(request, key, manifest, store);
  });

  const handleUnknownJob = () => errorResponse(NO_SUCH_JOB);
  return {
    routes: [
      route(/^\/jobs$/, '/jobs', 'GET, HEAD, POST', handleJobs),
      route(/^\/jobs\/[^/]*$/, '/jobs/{id}', 'GET, HEAD, DELETE', handleJob),
      route(/^\/jobs\/[^/]*\/result$/, '/jobs/{id}/result', 'GET, HEAD', handleResult),
      // A misspelt address can contain an id. So the gateway must neither look up nor log such a path.
      route(/^\/+jobs\//i, '/jobs/{id}', 'GET, HEAD, DELETE', handleUnknownJob),
      { ...route(/^\/jobs-files\//, '/jobs-files/{file}', 'GET, HEAD', page.files), isForClient: false },
    ],
    /** Ends all event streams, before the server stops. */
    endStreams: reports.stop,
  };
}

function route(path: RegExp, pattern: string, methods: string, handler: Handler): Route {
  return { path, pattern, face: 'other', methods, isForClient: true, isSecret: true, handler };
}

function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

const MAX_LISTED_JOBS = 100;

const LIST_NEED = { heapBytes: MAX_LISTED_JOBS * RESERVED_BYTES.listedJob, responseBytes: 0 };

const NO_KEY = new GatewayError('UNAUTHENTICATED', {
  message:
    'To list your jobs, send your API key as Authorization: Bearer. A job that was started without an API key is in no list. To start a job, POST a file of names here with the header "X-DOI-Gateway: jobs".',
});

function checkHeader(request: HttpRequest): void {
  if (request.header(PROOF_HEADER) !== 'jobs') throw HEADER_MISSING;
}

function checkBody(request: HttpRequest): void {
  const encoding = request.header('content-encoding')?.trim() || 'identity';
  if (encoding.toLowerCase() !== 'identity') throw COMPRESSED_FILE;
  if (/^\s*multipart\//i.test(request.header('content-type') ?? '')) throw FILE_IN_FORM;
}

function notAllowed(methods: string): HttpResponse {
  return errorResponse(WRONG_JOB_METHOD, { Allow: methods });
}
