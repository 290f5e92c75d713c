// Limits without a variable: constants, and limits that the gateway computes from a variable.

import type { Config } from '../config.ts';

export type Limits = ReturnType<typeof limitsOf>;

export function limitsOf(config: Config) {
  return {
    /** the timeout of one attempt at an upstream request */
    attemptMs: 10_000,
    /** the deadline of one look-up, with its wait in the queue and all its attempts */
    lookUpMs: 20_000,
    /** further attempts if the directory cannot be reached, is slow, or responds with 429 or 5xx */
    retries: 2,
    /** the size of the body of one upstream response */
    upstreamBytes: 4_000_000,
    /** the size of one Which RA request; doi.org refuses URLs of about 11 kB */
    whichRa: { maxUrlBytes: 4_000, maxNames: 500 },
    /** the look-ups that a client without an API key can make at once; null: ten times CLIENT_LOOKUPS_PER_SECOND */
    clientBurst: null as number | null,
    queryTokens: 10_000,
    /** the JSON of one GraphQL response, of all its parts together */
    responseBytes: 32 * 2 ** 20,
    /** the price of one operation: about 125 for each look-up with its usual fields */
    complexity: Math.max(250_000, 125 * config.MAX_LOOKUPS),
    /** of each kind of chunk (first or further), the maximum number that a job worker runs at the same time */
    concurrentChunks: 4,
    /** the same for chunks with references: while one waits for its next searches, the other uses the agencies' limits */
    concurrentReferenceChunks: 2,
    /** the maximum number of chunks of one client in the queue, but each of its jobs may have one */
    chunksOfClient: 4,
    jobsOfClient: 10,
    jobsOfAll: 1_000,
    /** the size on disk of all jobs of one client */
    jobBytesOfClient: Math.max(config.JOBS_MAX_BYTES / 10, 8 * config.MAX_JOB_BYTES),
    /** a job that takes longer fails */
    maxJobHours: 168,
  };
}
