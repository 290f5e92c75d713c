// GET /jobs/{id}: the progress of a job, once or as an event stream.

import { GatewayError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/request/exchange.ts';
import { preferredType } from '../../http/response/negotiate.ts';
import type { JobKey } from '../job-id.ts';
import type { JobProgress } from '../queue/job-fields.ts';
import { errorResponse, jsonResponse, NO_JOBS_NOW } from './job-responses.ts';

export interface EventStream {
  readonly client: string;
  readonly job: JobKey;
  readonly isOpen: boolean;
  /** A second call has no effect. */
  close(): void;
}

/** At most this many streams are open. A stream reads the progress of its job once a second. */
const STREAM_LIMITS = { ofJob: 16, ofClient: 64, all: 1_000 };

function tooManyStreams(subject: string, count: number, noun: string): GatewayError {
  return new GatewayError('RATE_LIMITED', {
    message: `${subject} ${count} open event streams, which is the limit for a ${noun}. Close one, or request the progress without "Accept: text/event-stream".`,
    details: { retryAfterSeconds: 10 },
  });
}

export function createEventStreams(limits = STREAM_LIMITS) {
  /** all open streams, oldest first */
  const streams = new Set<EventStream>();
  const streamsOf = (client: string) => [...streams].filter((stream) => stream.client === client);

  /**
   * Ends the oldest stream of the client with the most streams, so that another client can open a stream. Returns false, and
   * ends no stream, if the opening client would then have more streams than the client with the most streams.
   * @param count the number of streams that the opening client already has
   */
  function endOldest(count: number): boolean {
    const counts = new Map<string, number>();
    for (const { client } of streams) counts.set(client, (counts.get(client) ?? 0) + 1);
    const [client, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    if (most <= count + 1) return false;
    streamsOf(client)[0]?.close();
    return true;
  }

  return {
    /** Opens a stream. Returns an error if the gateway, the job or the client has too many streams. */
    open(client: string, job: JobKey): EventStream | GatewayError {
      const ofJob = [...streams].filter((stream) => stream.job === job);
      const ofClient = streamsOf(client);
      if (ofJob.length >= limits.ofJob) return tooManyStreams('This job has', limits.ofJob, 'job');
      if (ofClient.length >= limits.ofClient) return tooManyStreams('You have', limits.ofClient, 'client');
      if (streams.size >= limits.all && !endOldest(ofClient.length)) return NO_JOBS_NOW;
      const stream: EventStream = {
        client,
        job,
        get isOpen() {
          return streams.has(stream);
        },
        close: () => void streams.delete(stream),
      };
      streams.add(stream);
      return stream;
    },
  };
}

/** A job in responses to clients. `reason`: why the job failed; else null. */
export interface JobView extends Omit<JobProgress, 'state' | 'createdAt' | 'endedAt' | 'chunks'> {
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** ISO 8601 */
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** the time at which the gateway deletes the job; null until the job has ended */
  readonly keptUntil: string | null;
  /** the URL of the result; null until the job is done */
  readonly result: string | null;
}

interface ProgressReportsOptions {
  readonly progressOf: (key: JobKey) => Promise<JobProgress | null>;
  readonly keepMs: number;
  /** the beginning of the URLs of jobs. If empty, the URLs are relative. */
  readonly base: string;
  readonly sleep: (ms: number) => Promise<void>;
}

const OFFERED_TYPES = ['application/json', 'text/event-stream'] as const;

const EVENT_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  // nginx must not buffer the events.
  'X-Accel-Buffering': 'no',
};

const POLL_MS = 1_000;
/** After this many polls without a change, the stream sends a comment. Load balancers close silent connections. */
const SILENT_POLLS = 15;

export function createProgressReports({ progressOf, keepMs, base, sleep }: ProgressReportsOptions) {
  const streams = createEventStreams();
  let isStopping = false;
  const addressOf = (id: string): string => `${base}/jobs/${id}`;

  function viewOf(id: string, progress: JobProgress): JobView {
    const { state, createdAt, endedAt, reason, chunks: _, ...counts } = progress;
    return {
      state: state === 'uploading' || (state === 'running' && counts.rowsDone === 0) ? 'waiting' : state,
      ...counts,
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
      let lastText = '';
      let silentPolls = 0;
      let progress: JobProgress | null = first;
      while (progress !== null && stream.isOpen) {
        const text = JSON.stringify(viewOf(id, progress));
        silentPolls = text === lastText ? silentPolls + 1 : 0;
        if (text !== lastText) yield Buffer.from(`event: progress\ndata: ${text}\n\n`);
        else if (silentPolls % SILENT_POLLS === 0) yield Buffer.from(': still there\n\n');
        lastText = text;
        if (isStopping || progress.endedAt !== null) return;
        await sleep(POLL_MS);
        const previous: JobProgress = progress;
        progress = await progressOf(key).catch(() => previous);
      }
      if (progress === null) yield Buffer.from('event: gone\ndata: {}\n\n');
    } finally {
      stream.close();
    }
  }

  return {
    addressOf,
    viewOf,
    respond(request: HttpRequest, id: string, key: JobKey, progress: JobProgress): HttpResponse {
      if (preferredType(request, OFFERED_TYPES) !== 'text/event-stream') {
        return jsonResponse(200, viewOf(id, progress), { Vary: 'Accept' });
      }
      const headers = { ...EVENT_HEADERS, Vary: 'Accept' };
      if (isStopping) return errorResponse(NO_JOBS_NOW);
      if (request.method === 'HEAD') return { status: 200, headers, body: null };
      const stream = streams.open(request.requester.client.key, key);
      if (stream instanceof GatewayError) return errorResponse(stream);
      request.signal.addEventListener('abort', stream.close);
      return { status: 200, headers, body: events(stream, id, key, progress) };
    },
    /** Ends all streams. */
    stop(): void {
      isStopping = true;
    },
  };
}
