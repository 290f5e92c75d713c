// Metrics of the jobs: the state of the fleet, and the work of this process.

import { Counter, Gauge, type Registry } from 'prom-client';

/** Counts of the whole fleet, from the Redis of the jobs. Every process reports the same counts. */
export interface JobFleetCounts {
  /** by state */
  readonly jobs: Readonly<Record<'uploading' | 'running' | 'done' | 'failed', number>>;
  /** by state in the queue; `delayed`: a later retry */
  readonly chunks: Readonly<Record<'waiting' | 'running' | 'delayed', number>>;
  /** uploads and results on disk */
  readonly bytes: number;
  readonly maxBytes: number;
}

export interface JobFleet {
  isRedisUp(): boolean;
  /** Rejects if Redis does not answer. */
  counts(): Promise<JobFleetCounts>;
}

export function createJobCounts(registers: Registry[]) {
  let source: JobFleet | null = null;
  let reading: Promise<JobFleetCounts | null> | null = null;

  /** Reads the counts once for all gauges. Null if there are no jobs, or if Redis does not answer. */
  function read(): Promise<JobFleetCounts | null> {
    reading ??= (source?.counts() ?? Promise.resolve(null))
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  }

  function fleetGauge(name: string, help: string, label: string | null, of: ReadCounts): void {
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
        for (const [value, count] of Object.entries(of(counts))) {
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
    'Chunks of 1,000 names in the queues of the whole fleet by state (waiting, running, delayed: to be tried again).',
    'state',
    ({ chunks }) => chunks,
  );
  fleetGauge(
    'doi_gateway_jobs_bytes',
    'Bytes on disk of all jobs, uploads and results.',
    null,
    ({ bytes }) => ({ bytes }),
  );
  fleetGauge('doi_gateway_jobs_bytes_limit', 'JOBS_MAX_BYTES.', null, ({ maxBytes }) => ({ maxBytes }));

  new Gauge({
    name: 'doi_gateway_jobs_redis_up',
    help: '1 while the Redis of the jobs answers, else 0; 0 where there are no jobs.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(source?.isRedisUp() ? 1 : 0);
    },
  });

  return {
    /** Called whenever the metrics are read. */
    watchFleet(fleet: JobFleet): void {
      source = fleet;
    },
    names: new Counter({
      name: 'doi_gateway_job_names_total',
      help: 'Rows of jobs that this process has done, by outcome (found, absent, invalid, failed, other: existence was not asked for).',
      labelNames: ['outcome'] as const,
      registers,
    }),
    failedAttempts: new Counter({
      name: 'doi_gateway_job_failed_attempts_total',
      help: 'Attempts at a chunk that failed, after which it is tried again.',
      registers,
    }),
  };
}

type ReadCounts = (counts: JobFleetCounts) => Readonly<Record<string, number>>;
