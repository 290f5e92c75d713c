// The HTTP API of jobs. Checks the path, the method and the owner of a job.

import { GatewayError } from '../../errors.ts';
import type { Handler, HttpRequest, HttpResponse } from '../../http/request/exchange.ts';
import { preferredType } from '../../http/response/negotiate.ts';
import type { Log } from '../../log.ts';
import type { Soon } from '../../time.ts';
import type { JobCourse } from '../job-course.ts';
import { clientMarkOf, type JobKey, jobKeyOf } from '../job-id.ts';
import type { JobProgress, JobState } from '../queue/job-state.ts';
import { QueueError } from '../queue/queue-connection.ts';
import type { JobStore } from '../store/job-store.ts';
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

interface JobsFaceOptions {
  readonly store: JobStore;
  readonly state: JobState;
  readonly course: JobCourse;
  readonly receive: (request: HttpRequest) => Promise<string>;
  readonly reports: ProgressReports;
  readonly page: Handler;
  /** whether Redis answers, so that the gateway can accept and show jobs */
  readonly isUsable: () => boolean;
  readonly log: Pick<Log, 'error'>;
}

/** A page of another origin can send this header only if CORS allows the header. The gateway never allows it. */
const PROOF_HEADER = 'x-doi-gateway';

const HEADER_MISSING = new GatewayError('BAD_USER_INPUT', {
  message:
    'The header "X-DOI-Gateway: jobs" is missing. It proves to the gateway that no page of another site sends the request.',
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

export function createJobsFace(options: JobsFaceOptions) {
  const { store, state, course, receive, reports, page, isUsable, log } = options;

  /** Converts every failure to a response. Logs a failure only if neither the client nor the queue caused it. */
  function guarded(work: (request: HttpRequest) => Soon<HttpResponse>): Handler {
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

  async function find(request: HttpRequest) {
    const [, , id = ''] = request.path.split('/');
    const key = jobKeyOf(id);
    const manifest = key && (await store.manifest(key));
    if (key === null || manifest === null) throw NO_SUCH_JOB;
    const { client } = request.requester;
    if (manifest.owner !== null && manifest.owner !== (client.hasKey ? client.key : null)) throw NO_SUCH_JOB;
    return { id, key, manifest };
  }

  async function progressFor(key: JobKey): Promise<JobProgress> {
    const progress = isUsable() ? await state.progress(key) : null;
    // If Redis has lost the job, maintenance will queue the job again from the disk.
    if (progress === null) throw NO_JOBS_NOW;
    return progress;
  }

  async function list(request: HttpRequest): Promise<HttpResponse> {
    const { client } = request.requester;
    if (!client.hasKey) throw NO_KEY;
    if (!isUsable()) throw NO_JOBS_NOW;
    await request.work.admitOperation(LIST_NEED, request);
    const listed = await state.listOf(clientMarkOf(client.key), MAX_LISTED_JOBS);
    const jobs = listed.map(({ id, progress }) => ({
      job: reports.addressOf(id),
      ...reports.viewOf(id, progress),
    }));
    return jsonResponse(200, { jobs }, { Vary: 'Accept' });
  }

  return {
    /** `/jobs` */
    all(request: HttpRequest): Soon<HttpResponse> {
      const { method } = request;
      const isRead = method === 'GET' || method === 'HEAD';
      if (isRead && preferredType(request, PAGE_OR_DATA) === 'text/html') return page(request);
      return guarded(async () => {
        if (isRead) return list(request);
        if (method !== 'POST') return notAllowed('GET, HEAD, POST');
        checkHeader(request);
        checkBody(request);
        if (!isUsable()) throw NO_JOBS_NOW;
        const id = await receive(request);
        const key = jobKeyOf(id) as JobKey;
        const progress = await state.progress(key).catch(() => null);
        const view = progress ? reports.viewOf(id, progress) : {};
        const job = reports.addressOf(id);
        return jsonResponse(201, { job, ...view }, { Location: job });
      })(request);
    },

    /** `/jobs/{id}` */
    one: guarded(async (request) => {
      const { method } = request;
      if (method === 'DELETE') {
        checkHeader(request);
        const { key } = await find(request);
        await course.remove(key);
        return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null };
      }
      if (method !== 'GET' && method !== 'HEAD') return notAllowed('GET, HEAD, DELETE');
      const { id, key } = await find(request);
      return reports.respond(request, id, key, await progressFor(key));
    }),

    /** `/jobs/{id}/result` */
    result: guarded(async (request) => {
      const { method } = request;
      if (method !== 'GET' && method !== 'HEAD') return notAllowed('GET, HEAD');
      const { key, manifest } = await find(request);
      return sendResult(request, key, manifest, await store.end(key), store);
    }),

    /** other paths below `/jobs/` */
    unknown: () => errorResponse(NO_SUCH_JOB),
  };
}

const MAX_LISTED_JOBS = 100;

/** One job in the list needs at most 1 kB of memory. */
const LIST_NEED = { heapBytes: MAX_LISTED_JOBS * 1_000, responseBytes: 0 };

const NO_KEY = new GatewayError('UNAUTHENTICATED', {
  message:
    'The list of your jobs needs an API key: send your key as Authorization: Bearer. A job without an API key is in no list. To start a job, POST a file of names here with the header "X-DOI-Gateway: jobs".',
});

function checkHeader(request: HttpRequest): void {
  if (request.header(PROOF_HEADER) !== 'jobs') throw HEADER_MISSING;
}

function checkBody(request: HttpRequest): void {
  const encoding = request.header('content-encoding')?.trim() || 'identity';
  if (encoding.toLowerCase() !== 'identity') throw COMPRESSED;
  if (/^\s*multipart\//i.test(request.header('content-type') ?? '')) throw FORM;
}

function notAllowed(methods: string): HttpResponse {
  return errorResponse(WRONG_METHOD, { Allow: methods });
}
