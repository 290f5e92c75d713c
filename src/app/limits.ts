// Limits that no variable sets: constants, and limits that follow from a variable.

import type { Config } from '../config.ts';

export type Limits = ReturnType<typeof limitsOf>;

export function limitsOf(config: Config) {
  return {
    /** time of one attempt at an upstream request */
    attemptMs: 10_000,
    /** time of one look-up: its wait in the queue and all its attempts */
    lookUpMs: 20_000,
    /** attempts after the first, when the directory cannot be reached, is slow, or responds with 429 or 5xx */
    retries: 2,
    /** body of one upstream response */
    upstreamBytes: 4_000_000,
    /** one Which RA request; doi.org refuses URLs of about 11 kB */
    whichRa: { maxUrlBytes: 4_000, maxNames: 500 },
    /** look-ups that an anonymous client may make at once; null: those of ten seconds */
    clientBurst: null as number | null,
    queryTokens: 10_000,
    /** JSON of one GraphQL response, in all its parts */
    responseBytes: 32 * 2 ** 20,
    /** price of an operation: as many look-ups as it may make, with the fields that they usually have */
    complexity: Math.max(250_000, 125 * config.MAX_LOOKUPS),
    /** chunks that one worker has in hand, and as many more from among the first five of their job */
    chunksInHand: 4,
    /** chunks of one client in the queue; each of its jobs has at least one */
    chunksOfClient: 4,
    jobsOfClient: 10,
    jobsOfAll: 1_000,
    /** bytes on disk of one client's jobs */
    jobBytesOfClient: Math.max(config.JOBS_MAX_BYTES / 10, 8 * config.MAX_JOB_BYTES),
    /** a job that takes longer fails */
    maxJobHours: 168,
  };
}
