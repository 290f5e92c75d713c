// Variables of earlier versions. Until November 2027 the log names each that is still set, and its replacement.

const unchanged = (value: string): string => `It has no replacement: the gateway uses ${value}.`;

export const REMOVED_VARIABLES: Readonly<Record<string, string>> = {
  DIRECTORY_TIMEOUT_MS: unchanged('10 seconds for one attempt'),
  DIRECTORY_DEADLINE_MS: `${unchanged('20 seconds for one look-up')} OPERATION_DEADLINE_MS ends a GraphQL operation earlier.`,
  DIRECTORY_RETRIES: unchanged('2 attempts after the first'),
  DIRECTORY_PROBE: unchanged('10.1000/1, which may be absent from your directory'),
  DIRECTORY_MAX_RESPONSE_BYTES: unchanged('4,000,000 bytes for the body of one upstream response'),
  WHICH_RA_MAX_URL_BYTES: unchanged('4,000 bytes for the URL of one Which RA request'),
  WHICH_RA_MAX_NAMES: unchanged('500 names for one Which RA request'),
  AGENCY_BY_PREFIX: unchanged('the agency of another name of the same prefix, for a day'),
  MAX_CONNECTIONS: unchanged('10,000 connections for each process'),
  MAX_RESPONSE_BYTES: unchanged('33,554,432 bytes for one GraphQL response'),
  MAX_QUERY_TOKENS: unchanged('10,000 tokens for one GraphQL document'),
  MAX_COMPLEXITY:
    'Set MAX_LOOKUPS: an operation may cost 125 for each look-up that it may make, and at least 250,000.',
  COMPRESSION:
    'It has no replacement: a balancer that compresses responses can remove Accept-Encoding from requests.',
  FAST_PATH: unchanged('its own executor, and Yoga for responses in parts'),
  CLIENT_LOOKUPS_BURST:
    'Set CLIENT_LOOKUPS_PER_SECOND: a client may make the look-ups of ten seconds at once. API_KEYS_FILE has "burst" for each key.',
  JOBS_CONCURRENCY: 'Start more workers (ROLE=worker): each has 4 chunks in hand.',
  JOBS_CLIENT_CHUNKS: unchanged('4 chunks of one client in the queue'),
  JOBS_PER_CLIENT: unchanged('10 jobs for one client'),
  JOBS_AT_MOST: unchanged('1,000 jobs of all clients'),
  JOBS_CLIENT_BYTES: 'Set JOBS_MAX_BYTES: a client has a tenth of it, and at least 8 times MAX_JOB_BYTES.',
  JOBS_MAX_HOURS: unchanged('168 hours for one job'),
  TRACE_DIRECTORY:
    'Set OTEL_EXPORTER_OTLP_ENDPOINT: with traces, requests carry traceparent, but not to doi.org and handle.net.',
};
