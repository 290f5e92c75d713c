// The jobs over HTTP: which path and method does what, and whose job it is.

import { GatewayError } from '../../errors.ts';
import type { Answer, Handler, HttpRequest } from '../../http/request/exchange.ts';
import { preferredType } from '../../http/response/negotiate.ts';
import type { Log } from '../../log.ts';
import type { BulkWork } from '../bulk-work.ts';
import { clientMarkOf, type JobKey, jobKeyOf } from '../job-id.ts';
import type { JobProgress } from '../queue/job-fields.ts';
import type { JobState } from '../queue/job-state.ts';
import { QueueError } from '../queue/queue-connection.ts';
import type { JobManifest, JobStore } from '../store/job-store.ts';
import { errorAnswer, INTERNAL, jsonAnswer, NO_JOBS_NOW, NO_SUCH_JOB, WRONG_METHOD } from './job-answers.ts';
import { sendResult } from './send-result.ts';
import type { Teller } from './tell-progress.ts';

export interface JobsFaceOptions {
  readonly store: JobStore<BulkWork>;
  /** Null where there is no such job. Rejects where the queue cannot be asked. */
  readonly progressOf: (key: JobKey) => Promise<JobProgress | null>;
  /** The newest jobs of an API key, newest first. */
  readonly listOf: JobState['listOf'];
  readonly receive: (request: HttpRequest) => Promise<string>;
  readonly remove: (key: JobKey) => Promise<void>;
  readonly teller: Teller;
  readonly page: Handler;
  /** whether jobs can be taken and shown */
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
  /** all else below `/jobs/` */
  readonly unknown: Handler;
}

/** What a page of another origin cannot send without being allowed to, and never is. */
const HEADER = 'x-doi-gateway';

const NO_HEADER = new GatewayError('BAD_USER_INPUT', {
  message:
    'The header "X-DOI-Gateway: jobs" is missing, by which the gateway tells that no page of another site sends this.',
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
  const { store, progressOf, listOf, receive, remove, teller, page, isUsable, log } = options;

  /** Answers every failure; only what is nobody's fault but ours is logged. */
  function guarded(work: (request: HttpRequest) => Answer | Promise<Answer>): Handler {
    return async (request) => {
      try {
        await request.work.admitRequest(request);
        const { refusal } = request.asker;
        if (refusal) throw refusal;
        return await work(request);
      } catch (error) {
        if (error instanceof GatewayError) return errorAnswer(error);
        if (error instanceof QueueError) return errorAnswer(NO_JOBS_NOW);
        if (!request.signal.aborted) log.error({ err: error }, 'a job could not be answered for');
        return errorAnswer(INTERNAL);
      }
    };
  }

  async function find(request: HttpRequest): Promise<Found> {
    const [, , id = ''] = request.path.split('/');
    const key = jobKeyOf(id);
    const manifest = key && (await store.manifest(key));
    if (key === null || manifest === null) throw NO_SUCH_JOB;
    const { client } = request.asker;
    if (manifest.owner !== null && manifest.owner !== (client.hasKey ? client.key : null)) throw NO_SUCH_JOB;
    return { id, key, manifest };
  }

  async function progressFor(key: JobKey): Promise<JobProgress> {
    if (!isUsable()) throw NO_JOBS_NOW;
    const progress = await progressOf(key);
    // It is on disk: the queue has lost it, and will know it again.
    if (progress === null) throw NO_JOBS_NOW;
    return progress;
  }

  async function list(request: HttpRequest): Promise<Answer> {
    const { client } = request.asker;
    if (!client.hasKey) throw NO_KEY;
    if (!isUsable()) throw NO_JOBS_NOW;
    await request.work.admitOperation(LIST_NEED, request);
    const listed = await listOf(clientMarkOf(client.key), MOST_LISTED);
    const jobs = listed.map(({ id, progress }) => ({
      job: teller.addressOf(id),
      ...teller.told(id, progress),
    }));
    return jsonAnswer(200, { jobs }, { Vary: 'Accept' });
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
        const told = progress ? teller.told(id, progress) : {};
        const job = teller.addressOf(id);
        return jsonAnswer(201, { job, ...told }, { Location: job });
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
      return teller.answer(request, id, key, await progressFor(key));
    }),

    result: guarded(async (request) => {
      const { method } = request;
      if (method !== 'GET' && method !== 'HEAD') return notAllowed('GET, HEAD');
      const { key, manifest } = await find(request);
      return sendResult(request, key, manifest, await store.end(key), store);
    }),

    unknown: () => errorAnswer(NO_SUCH_JOB),
  };
}

interface Found {
  readonly id: string;
  readonly key: JobKey;
  readonly manifest: JobManifest<BulkWork>;
}

const MOST_LISTED = 100;

/** A job takes up to 1 kB as fields and as JSON. */
const LIST_NEED = { heapBytes: MOST_LISTED * 1_000, responseBytes: 0 };

const NO_KEY = new GatewayError('UNAUTHENTICATED', {
  message:
    'The list of your jobs needs an API key: send yours as Authorization: Bearer. A job without an API key is known by its address alone. To put in a file of names, POST it here with the header "X-DOI-Gateway: jobs".',
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
  return errorAnswer(WRONG_METHOD, { Allow: methods });
}
