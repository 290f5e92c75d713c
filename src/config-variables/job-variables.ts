// Variables about bulk jobs: their storage, the role of this process, and limits.

import { z } from 'zod';
import { redisUrl, withoutCredentials } from './redis-url.ts';
import { integer, oneOf, type Variable } from './variable-types.ts';

export const JOB_VARIABLES = {
  JOBS_REDIS_URL: {
    isSecret: true,
    type: redisUrl,
    redact: withoutCredentials,
    meaning:
      'Redis for the queue of bulk jobs, in the form of `REDIS_URL`. This Redis must not evict data (`maxmemory-policy noeviction`). Needs `JOBS_DIR`. Unset: there are no jobs.',
    changeWhen: 'Clients want to upload files of up to millions of names.',
  },
  JOBS_DIR: {
    type: z.string(),
    meaning:
      'Folder for the files of jobs, on a volume that all gateways and workers share. The volume must support hard links. Needs `JOBS_REDIS_URL`.',
    changeWhen: 'You set `JOBS_REDIS_URL`.',
  },
  ROLE: {
    type: oneOf('both', 'gateway', 'worker'),
    default: 'both',
    meaning:
      'A `gateway` serves clients and runs no jobs. A `worker` runs jobs and serves only `/healthz`, `/readyz` and `/metrics`.',
    changeWhen: 'Jobs must not slow down interactive requests: run gateways and workers apart.',
  },
  JOBS_LOOKUPS_PER_SECOND: {
    type: integer(1, 100_000),
    default: '100',
    meaning:
      'Maximum number of look-ups per second of all jobs of all workers together. Cached records are free.',
    changeWhen:
      'Jobs are too slow and the directory allows more, or jobs load the directory too much. It must be less than `DIRECTORY_RPS`.',
  },
  MAX_JOB_BYTES: {
    type: integer(1_000, 1_000_000_000_000),
    default: '536870912',
    meaning: 'Maximum size of an uploaded file, in bytes.',
    changeWhen: 'Clients have larger files.',
  },
  JOBS_MAX_BYTES: {
    type: integer(1_000, 1_000_000_000_000_000),
    default: '42949672960',
    meaning:
      'Bytes on disk of all jobs together. Clients without an API key can use half of them. At the limit, ended jobs are deleted early.',
    changeWhen: 'The volume of `JOBS_DIR` has another size. Leave a tenth of the volume free.',
  },
  JOBS_KEEP_HOURS: {
    type: integer(1, 10_000),
    default: '72',
    meaning: 'Hours after the end of a job until the gateway deletes it.',
    changeWhen: 'Clients fetch their results later, or the volume fills up.',
  },
} as const satisfies Record<string, Variable>;
