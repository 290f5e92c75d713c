// Metrics of jobs: counts of the whole fleet (all gateways and workers with the same JOBS_REDIS_URL), and of this process.

import { Counter, Gauge, type Registry } from 'prom-client';

/** The counts come from Redis, so every process reports the same counts. */
export interface JobFleetCounts {
  /** the number of jobs by state */
  readonly jobs: Readonly<Record<'uploading' | 'running' | 'done' | 'failed', number>>;
  /** the number of chunks by state; `delayed`: the chunk waits for a retry */
  readonly chunks: Readonly<Record<'waiting' | 'running' | 'delayed', number>>;
  /** the size of all uploads and results on disk */
  readonly bytes: number;
  /** JOBS_MAX_BYTES */
  readonly maxBytes: number;
  /** The share of each limit that jobs use which have not ended. At 1, the gateway refuses jobs. */
  readonly limitUse: Readonly<Record<'jobs' | 'bytes' | 'anonymousJobs' | 'anonymousBytes', number>>;
}

export interface JobFleet {
  isRedisUp(): boolean;
  /** Rejects if Redis does not respond. */
  counts(): Promise<JobFleetCounts>;
}

export function createJobCounts(registers: Registry[]) {
  let source: JobFleet | null = null;
  let currentRead: Promise<JobFleetCounts | null> | null = null;

  /** Reads the counts once for all gauges. Null if jobs are off, or if Redis does not respond. */
  function read(): Promise<JobFleetCounts | null> {
    currentRead ??= (source?.counts() ?? Promise.resolve(null))
      .catch(() => null)
      .finally(() => {
        currentRead = null;
      });
    return currentRead;
  }

  function fleetGauge(name: string, help: string, label: string | null, valuesOf: ReadCounts): void {
    new Gauge({
      name,
      help,
      labelNames: label === null ? [] : [label],
      aggregator: 'max',
      registers,
      async collect() {
        const counts = await read();
        this.reset();
        if (counts === null) return;
        for (const [value, count] of Object.entries(valuesOf(counts))) {
          this.set(label === null ? {} : { [label]: value }, count);
        }
      },
    });
  }

  fleetGauge(
    'doi_gateway_jobs',
    'Bulk jobs of the whole fleet by state (uploading, running, done, failed).',
    'state',
    ({ jobs }) => jobs,
  );
  fleetGauge(
    'doi_gateway_job_chunks',
    'Chunks of up to 1,000 rows in the queue of the whole fleet, by state (waiting, running, delayed: waits for a retry).',
    'state',
    ({ chunks }) => chunks,
  );
  fleetGauge(
    'doi_gateway_jobs_bytes',
    'Bytes on disk of the uploads and results of all jobs.',
    null,
    ({ bytes }) => ({ bytes }),
  );
  fleetGauge('doi_gateway_jobs_bytes_limit', 'JOBS_MAX_BYTES.', null, ({ maxBytes }) => ({ maxBytes }));
  fleetGauge(
    'doi_gateway_jobs_limit_use',
    'Share of each limit (jobs, bytes, anonymousJobs, anonymousBytes) that jobs use which have not ended. At 1, uploads get 503.',
    'limit',
    ({ limitUse }) => limitUse,
  );

  new Gauge({
    name: 'doi_gateway_jobs_redis_up',
    help: '1 while the Redis of the jobs responds, else 0. Also 0 if jobs are off.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(source?.isRedisUp() ? 1 : 0);
    },
  });

  return {
    /** From now on, the gauges read the counts of this fleet. */
    watchFleet(fleet: JobFleet): void {
      source = fleet;
    },
    names: new Counter({
      name: 'doi_gateway_job_names_total',
      help: 'Rows of jobs that this process has finished, by outcome (found, differs, several, notFound, absent, answered, severalNames, empty, notInSample, invalid, unreadable, failed; answered: the job does not look up whether names exist).',
      labelNames: ['outcome'] as const,
      registers,
    }),
    failedAttempts: new Counter({
      name: 'doi_gateway_job_failed_attempts_total',
      help: 'Failed attempts at a chunk. The gateway retries the chunk.',
      registers,
    }),
  };
}

type ReadCounts = (counts: JobFleetCounts) => Readonly<Record<string, number>>;
