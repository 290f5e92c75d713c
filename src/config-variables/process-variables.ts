// The process: where it listens, how it runs and ends, what it logs.

import { z } from 'zod';
import { baseUrl, integer, listenAddress, oneOf, type Variable, workerCount } from './variable-types.ts';

export const LISTENING_VARIABLES = {
  PORT: {
    type: integer(0, 65_535),
    default: '4000',
    meaning: 'Port to listen on; 0 takes any that is free.',
  },
  HOST: {
    type: z.string(),
    default: '127.0.0.1',
    meaning: 'Address to listen on; `::` is all of them, IPv4 and IPv6.',
  },
  OPS_ADDRESS: {
    type: listenAddress,
    default: null,
    meaning:
      'A second address and port, such as `127.0.0.1:9464`, for `/healthz`, `/readyz` and `/metrics`. `/metrics` is then served only there.',
  },
} as const satisfies Record<string, Variable>;

export const PROCESS_VARIABLES = {
  WORKERS: {
    type: workerCount,
    default: '1',
    meaning: 'Processes that share the port; `auto` is one for each processor.',
  },
  SHUTDOWN_DRAIN_MS: {
    type: integer(0, 600_000),
    default: '2000',
    meaning:
      'Time after SIGTERM in which `/readyz` says 503 and everything is still answered, so that balancers go elsewhere, in milliseconds.',
  },
  SHUTDOWN_TIMEOUT_MS: {
    type: integer(0, 600_000),
    default: '10000',
    meaning: 'Time after that for requests in flight to finish, in milliseconds.',
  },
  LOG_LEVEL: {
    type: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    meaning: 'Least level of what is logged.',
  },
  ACCESS_LOG: {
    type: oneOf('no', 'yes', 'addresses'),
    default: 'no',
    meaning:
      'Whether each request is one line of the log, at its end; `addresses`: with the address of a client that has no API key.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: baseUrl,
    default: null,
    meaning:
      'Base URL of an OpenTelemetry collector, for traces by OTLP over HTTP, such as `http://localhost:4318`. Unset: no traces.',
  },
} as const satisfies Record<string, Variable>;
