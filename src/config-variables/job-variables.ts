// Bulk jobs: where they are kept, who works on them, and how much they may take.

import { z } from 'zod';
import { redisUrl, withoutCredentials } from './redis-url.ts';
import { integer, oneOf, type Variable } from './variable-types.ts';

export const JOB_VARIABLES = {
  JOBS_REDIS_URL: {
    type: redisUrl,
    default: null,
    shown: withoutCredentials,
    meaning:
      'Queue of bulk jobs, a Redis that evicts nothing (`maxmemory-policy noeviction`); written as `REDIS_URL`. Needs `JOBS_DIR`. Unset: there are no jobs.',
    change: 'You want jobs: files of up to millions of names.',
  },
  JOBS_DIR: {
    type: z.string(),
    default: null,
    meaning:
      'Folder of the jobs’ files, on a volume that all gateways and workers share, with hard links. Needs `JOBS_REDIS_URL`.',
    change: 'You want jobs.',
  },
  ROLE: {
    type: oneOf('both', 'gateway', 'worker'),
    default: 'both',
    meaning:
      'With jobs: `gateway` serves clients and works on no job; `worker` works on jobs and serves only `/healthz`, `/readyz` and `/metrics`.',
    change: 'Jobs must not slow down interactive requests: run gateways and workers apart.',
  },
  JOBS_LOOKUPS_PER_SECOND: {
    type: integer(1, 100_000),
    default: '100',
    meaning: 'Look-ups a second of all jobs of all workers together; cached records are free.',
    change:
      'Jobs are too slow and the directory allows more, or jobs load the directory too much. It must be less than `DIRECTORY_RPS`.',
  },
  MAX_JOB_BYTES: {
    type: integer(1_000, 1_000_000_000_000),
    default: '536870912',
    meaning: 'Size of an uploaded file at most.',
    change: 'Clients have larger files.',
  },
  JOBS_MAX_BYTES: {
    type: integer(1_000, 1_000_000_000_000_000),
    default: '42949672960',
    meaning: 'Bytes on disk of all jobs together; clients without an API key have half of them.',
    change: 'The volume of `JOBS_DIR` has another size. Leave a tenth of the volume free.',
  },
  JOBS_KEEP_HOURS: {
    type: integer(1, 10_000),
    default: '72',
    meaning: 'How long a job is kept after its end.',
    change: 'Clients fetch their results later, or the volume fills up.',
  },
} as const satisfies Record<string, Variable>;
