// How long the gateway keeps and serves each kind of answer. The metadata of a work, a record and an agency are answers.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds. An absence lives briefly, because a name can be registered at any time. */
export const LIFETIMES = {
  /** A record is fresh for the smallest TTL of its values (RFC 3651), and at most this long. */
  record: DAY_MS,
  absentRecord: 5 * MINUTE_MS,
  /** The Which RA service gives no TTL. */
  agency: DAY_MS,
  absentAgency: 5 * MINUTE_MS,
  /** The agencies give no TTL. */
  metadata: DAY_MS,
  absentMetadata: HOUR_MS,
  /** the work that a reference in words describes, and its judgement */
  matchedReference: DAY_MS,
  unmatchedReference: HOUR_MS,
  /** fields about the gateway itself, such as the schema, in the caches of clients */
  gatewayFields: 5 * MINUTE_MS,
  /** For this time after an answer was fresh, the gateway serves it at once and refreshes it meanwhile (RFC 8767). */
  servedStale: HOUR_MS,
  /** For this time after an answer was fresh, the gateway serves it if its refresh fails (RFC 8767). */
  servedIfRefreshFails: 7 * DAY_MS,
  /** After a failed refresh of an answer, the gateway waits this long before the next refresh. */
  untilNextRefresh: 30_000,
  /** The shared cache remembers for this long that an answer must not be kept. */
  notCacheable: MINUTE_MS,
} as const;
