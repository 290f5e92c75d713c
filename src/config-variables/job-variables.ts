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
  },
  JOBS_DIR: {
    type: z.string(),
    default: null,
    meaning:
      'Folder of the jobs’ files, on a volume that all gateways and workers share, with hard links. Needs `JOBS_REDIS_URL`.',
  },
  ROLE: {
    type: oneOf('both', 'gateway', 'worker'),
    default: 'both',
    meaning:
      'With jobs: `gateway` answers and works on no job, `worker` works and answers `/healthz`, `/readyz` and `/metrics` alone.',
  },
  JOBS_LOOKUPS_PER_SECOND: {
    type: integer(1, 100_000),
    default: '100',
    meaning:
      'Names a second that all jobs of all workers together ask the directory for, at the most; what is cached is free.',
  },
  MAX_JOB_BYTES: {
    type: integer(1_000, 1_000_000_000_000),
    default: '536870912',
    meaning: 'Size of an uploaded file at the most.',
  },
  JOBS_MAX_BYTES: {
    type: integer(1_000, 1_000_000_000_000_000),
    default: '42949672960',
    meaning: 'Bytes on disk of all jobs together; clients without an API key have half of them.',
  },
  JOBS_KEEP_HOURS: {
    type: integer(1, 10_000),
    default: '72',
    meaning: 'How long a job is kept after its end.',
  },
} as const satisfies Record<string, Variable>;
