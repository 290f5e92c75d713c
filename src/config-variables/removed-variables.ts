// Variables of earlier versions. If one is still set, the gateway logs its replacement at the start. Delete this file
// in November 2027.

const always = (value: string): string => `The value is always ${value}.`;

export const REMOVED_VARIABLES: Readonly<Record<string, string>> = {
  DIRECTORY_TIMEOUT_MS: always('10 seconds for one attempt'),
  DIRECTORY_DEADLINE_MS: `${always('20 seconds for one look-up')} OPERATION_DEADLINE_MS ends a GraphQL operation earlier.`,
  DIRECTORY_RETRIES: always('2 attempts after the first'),
  DIRECTORY_PROBE: always('10.1000/1, which need not exist'),
  DIRECTORY_MAX_RESPONSE_BYTES: always('4,000,000 bytes for the body of one upstream response'),
  WHICH_RA_MAX_URL_BYTES: always('4,000 bytes for the URL of one Which RA request'),
  WHICH_RA_MAX_NAMES: always('500 names for one Which RA request'),
  AGENCY_BY_PREFIX: 'The gateway always uses the agency of another name with the same prefix, for a day.',
  MAX_CONNECTIONS: always('10,000 connections for each process'),
  MAX_RESPONSE_BYTES: always('33,554,432 bytes for one GraphQL response'),
  MAX_QUERY_TOKENS: always('10,000 tokens for one GraphQL document'),
  MAX_COMPLEXITY:
    'Set MAX_LOOKUPS: the price limit of an operation is 125 times MAX_LOOKUPS, and at least 250,000.',
  COMPRESSION: 'To switch compression off, remove Accept-Encoding from requests in your balancer.',
  FAST_PATH: 'The gateway always uses its own executor, and Yoga for responses in parts.',
  CLIENT_LOOKUPS_BURST:
    'Set CLIENT_LOOKUPS_PER_SECOND: a client can make the look-ups of ten seconds at once. API_KEYS_FILE has "burst" for each key.',
  JOBS_CONCURRENCY: 'Start more workers (ROLE=worker): each worker runs at most 8 chunks at a time.',
  JOBS_CLIENT_CHUNKS: always('4 chunks of one client in the queue'),
  JOBS_PER_CLIENT: always('10 jobs for one client'),
  JOBS_AT_MOST: always('1,000 jobs of all clients'),
  JOBS_CLIENT_BYTES:
    'Set JOBS_MAX_BYTES: a client can use a tenth of it, and at least 8 times MAX_JOB_BYTES.',
  JOBS_MAX_HOURS: always('168 hours for one job'),
  TRACE_DIRECTORY:
    'Set OTEL_EXPORTER_OTLP_ENDPOINT: with traces, upstream requests have the header traceparent, except to doi.org and handle.net.',
};
