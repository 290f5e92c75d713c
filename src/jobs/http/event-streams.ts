// How many event streams are open: few of one job, some of one client, and so many in all. When all are open, a client
// with many gives one up for a client with fewer.

import { GatewayError } from '../../errors.ts';
import type { JobKey } from '../job-id.ts';
import { NO_JOBS_NOW } from './job-answers.ts';

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
