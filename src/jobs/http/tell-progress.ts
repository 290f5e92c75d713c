// GET /jobs/{id}: how far a job is, once or as it goes on.

import { GatewayError } from '../../errors.ts';
import type { Answer, HttpRequest } from '../../http/request/exchange.ts';
import { preferredType } from '../../http/response/negotiate.ts';
import type { JobKey } from '../job-id.ts';
import type { JobProgress } from '../queue/job-fields.ts';
import { errorAnswer, jsonAnswer, NO_JOBS_NOW } from './job-answers.ts';

// How many event streams are open: few of one job, some of one client, and so many in all. When all are open, a client
// with many gives one up for a client with fewer.

export interface EventStream {
  readonly isOpen: boolean;
  /** May be called again. */
  close(): void;
}

/** Each stream looks once a second how far its job is. */
const STREAM_LIMITS = { ofJob: 16, ofClient: 64, all: 1_000 };

const RETRY = { details: { retryAfterSeconds: 10 } };
const TOO_MANY_OF_JOB = new GatewayError('RATE_LIMITED', {
  message: `This job has ${STREAM_LIMITS.ofJob} event streams open, as many as a job may have. Close one, or ask without "Accept: text/event-stream" now and then.`,
  ...RETRY,
});
const TOO_MANY_OF_CLIENT = new GatewayError('RATE_LIMITED', {
  message: `You have ${STREAM_LIMITS.ofClient} event streams open, as many as a client may have. Close one, or ask without "Accept: text/event-stream" now and then.`,
  ...RETRY,
});

export function createEventStreams(limits = STREAM_LIMITS) {
  const ofJobs = new Map<JobKey, number>();
  /** by client, the oldest first */
  const ofClients = new Map<string, Set<EventStream>>();
  let all = 0;

  /** Ends the oldest stream of the client with the most. False: this client would have as many as any other. */
  function makeRoom(count: number): boolean {
    const most = [...ofClients.values()].reduce((a, b) => (b.size > a.size ? b : a));
    if (most.size <= count + 1) return false;
    for (const oldest of most) {
      oldest.close();
      return true;
    }
    return false;
  }

  return {
    /** A stream, or why the client gets none. */
    open(client: string, job: JobKey): EventStream | GatewayError {
      const ofClient = ofClients.get(client) ?? new Set();
      if ((ofJobs.get(job) ?? 0) >= limits.ofJob) return TOO_MANY_OF_JOB;
      if (ofClient.size >= limits.ofClient) return TOO_MANY_OF_CLIENT;
      if (all >= limits.all && !makeRoom(ofClient.size)) return NO_JOBS_NOW;
      const stream = {
        isOpen: true as boolean,
        close() {
          if (!stream.isOpen) return;
          stream.isOpen = false;
          all -= 1;
          ofClient.delete(stream);
          if (ofClient.size === 0) ofClients.delete(client);
          const left = (ofJobs.get(job) ?? 0) - 1;
          if (left > 0) ofJobs.set(job, left);
          else ofJobs.delete(job);
        },
      };
      all += 1;
      ofClients.set(client, ofClient.add(stream));
      ofJobs.set(job, (ofJobs.get(job) ?? 0) + 1);
      return stream;
    },
  };
}

/** A job as its owner sees it. */
export interface ToldJob {
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly rows: number;
  readonly rowsDone: number;
  readonly found: number;
  readonly absent: number;
  readonly invalid: number;
  readonly failed: number;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** when it is taken away; null while it goes on */
  readonly keptUntil: string | null;
  /** why it failed */
  readonly reason: string | null;
  /** null until it is done */
  readonly result: string | null;
}

export interface TellerOptions {
  readonly progressOf: (key: JobKey) => Promise<JobProgress | null>;
  readonly keepMs: number;
  /** before addresses of jobs; empty: they are relative */
  readonly base: string;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Teller {
  addressOf(id: string): string;
  told(id: string, progress: JobProgress): ToldJob;
  answer(request: HttpRequest, id: string, key: JobKey, progress: JobProgress): Answer;
  /** Ends all streams, so that nobody has to wait for them. */
  stop(): void;
}

const OFFERED = ['application/json', 'text/event-stream'] as const;

const EVENTS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  // Says to nginx that nothing is to be collected.
  'X-Accel-Buffering': 'no',
};

const LOOK_MS = 1_000;
/** What is quiet for longer, balancers take for dead. */
const QUIET_LOOKS = 15;

export function createTeller({ progressOf, keepMs, base, sleep }: TellerOptions): Teller {
  const streams = createEventStreams();
  let isStopping = false;
  const addressOf = (id: string): string => `${base}/jobs/${id}`;

  function told(id: string, progress: JobProgress): ToldJob {
    const { state, createdAt, endedAt, rowsDone, rows, reason, found, absent, invalid, failed } = progress;
    return {
      state: state === 'uploading' || (state === 'running' && rowsDone === 0) ? 'waiting' : state,
      rows,
      rowsDone,
      found,
      absent,
      invalid,
      failed,
      createdAt: new Date(createdAt).toISOString(),
      endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
      keptUntil: endedAt === null ? null : new Date(endedAt + keepMs).toISOString(),
      reason,
      result: state === 'done' ? `${addressOf(id)}/result` : null,
    };
  }

  async function* events(
    stream: EventStream,
    id: string,
    key: JobKey,
    first: JobProgress,
  ): AsyncGenerator<Uint8Array> {
    try {
      let last = '';
      let quiet = 0;
      let progress: JobProgress | null = first;
      while (progress !== null && stream.isOpen) {
        const text = JSON.stringify(told(id, progress));
        quiet = text === last ? quiet + 1 : 0;
        if (text !== last) yield Buffer.from(`event: progress\ndata: ${text}\n\n`);
        else if (quiet % QUIET_LOOKS === 0) yield Buffer.from(': still there\n\n');
        last = text;
        if (isStopping || progress.endedAt !== null) return;
        await sleep(LOOK_MS);
        const known: JobProgress = progress;
        progress = await progressOf(key).catch(() => known);
      }
      if (progress === null) yield Buffer.from('event: gone\ndata: {}\n\n');
    } finally {
      stream.close();
    }
  }

  return {
    addressOf,
    told,
    answer(request, id, key, progress) {
      if (preferredType(request, OFFERED) !== 'text/event-stream') {
        return jsonAnswer(200, told(id, progress), { Vary: 'Accept' });
      }
      const headers = { ...EVENTS, Vary: 'Accept' };
      if (isStopping) return errorAnswer(NO_JOBS_NOW);
      if (request.method === 'HEAD') return { status: 200, headers, body: null };
      const stream = streams.open(request.asker.client.key, key);
      if (stream instanceof GatewayError) return errorAnswer(stream);
      request.signal.addEventListener('abort', stream.close);
      return { status: 200, headers, body: events(stream, id, key, progress) };
    },
    stop() {
      isStopping = true;
    },
  };
}
