// Variables of earlier versions. If one is still set, the gateway logs its replacement at the start. Delete this file
// in November 2027.

const always = (value: string): string => `The value is always ${value}.`;

export const REMOVED_VARIABLES: Readonly<Record<string, string>> = {
  DIRECTORY_TIMEOUT_MS: always('10 seconds for one attempt'),
  DIRECTORY_DEADLINE_MS: `${always('20 seconds for one look-up')} To end a GraphQL operation earlier, lower OPERATION_DEADLINE_MS.`,
  DIRECTORY_RETRIES: always('2 attempts after the first'),
  DIRECTORY_PROBE: "The gateway always sends probes for 10.1000/1. Any response counts, also 'not found'.",
  DIRECTORY_MAX_RESPONSE_BYTES: always('4,000,000 bytes for the body of one upstream response'),
  WHICH_RA_MAX_URL_BYTES: always('4,000 bytes for the URL of one Which RA request'),
  WHICH_RA_MAX_NAMES: always('500 names for one Which RA request'),
  AGENCY_BY_PREFIX:
    'Always on: once the gateway knows the agency of one name, it uses this agency for all names with the prefix, for a day.',
  MAX_CONNECTIONS: always('10,000 connections for each process'),
  MAX_RESPONSE_BYTES: always('33,554,432 bytes for one GraphQL response'),
  MAX_QUERY_TOKENS: always('10,000 tokens for one GraphQL document'),
  MAX_COMPLEXITY:
    'Set MAX_LOOKUPS: the price limit of an operation is 125 times MAX_LOOKUPS, and at least 250,000.',
  COMPRESSION: 'To switch compression off, remove Accept-Encoding from requests in your balancer.',
  FAST_PATH: 'The gateway executes operations itself. Yoga executes only operations with @defer or @stream.',
  CLIENT_LOOKUPS_BURST:
    'Set CLIENT_LOOKUPS_PER_SECOND: a client can make ten times this number of look-ups at once. API_KEYS_FILE has "burst" for each key.',
  JOBS_CONCURRENCY: 'Start more workers (ROLE=worker): each worker runs at most 8 chunks at the same time.',
  JOBS_CLIENT_CHUNKS: always('4 chunks of one client in the queue'),
  JOBS_PER_CLIENT: always('10 jobs for one client'),
  JOBS_AT_MOST: always('1,000 jobs of all clients'),
  JOBS_CLIENT_BYTES:
    'Set JOBS_MAX_BYTES: the limit of a client is a tenth of it, or 8 times MAX_JOB_BYTES if that is more.',
  JOBS_MAX_HOURS: always('168 hours for one job'),
  TRACE_DIRECTORY:
    'Set OTEL_EXPORTER_OTLP_ENDPOINT. Upstream requests then have the header traceparent, except requests to doi.org and handle.net.',
};
