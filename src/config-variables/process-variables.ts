// The process: where it listens, how it runs and ends, what it logs.

import { z } from 'zod';
import { baseUrl, integer, listenAddress, oneOf, type Variable, workerCount } from './variable-types.ts';

export const LISTENING_VARIABLES = {
  PORT: {
    type: integer(0, 65_535),
    default: '4000',
    meaning: 'Port to listen on; 0 takes any that is free.',
    change: 'Another program uses the port.',
  },
  HOST: {
    type: z.string(),
    default: '127.0.0.1',
    meaning: 'Address to listen on; `::` is all addresses, IPv4 and IPv6.',
    change: 'Clients on other machines connect without a proxy on this machine.',
  },
  OPS_ADDRESS: {
    type: listenAddress,
    default: null,
    meaning:
      'A second address and port, such as `127.0.0.1:9464`, for `/healthz`, `/readyz` and `/metrics`. `/metrics` is then served only there.',
    change: 'Clients must not read the metrics.',
  },
} as const satisfies Record<string, Variable>;

export const PROCESS_VARIABLES = {
  WORKERS: {
    type: workerCount,
    default: '1',
    meaning: 'Processes that share the port; `auto` is one for each processor.',
    change: 'One process uses a whole processor, and the machine has more of them.',
  },
  SHUTDOWN_DRAIN_MS: {
    type: integer(0, 600_000),
    default: '2000',
    meaning:
      'Time after SIGTERM in which `/readyz` has status 503 and the gateway still responds to every request, in milliseconds.',
    change: 'Balancers take longer than this to notice that `/readyz` fails.',
  },
  SHUTDOWN_TIMEOUT_MS: {
    type: integer(0, 600_000),
    default: '10000',
    meaning: 'Time after that for requests in flight to finish, in milliseconds.',
    change:
      'Requests take longer than this. The supervisor must wait for the sum of both times before it kills the process.',
  },
  LOG_LEVEL: {
    type: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    meaning: 'Least level of what is logged.',
    change: 'You look for the cause of a problem (`debug`), or the log is too long (`warn`).',
  },
  ACCESS_LOG: {
    type: oneOf('no', 'yes', 'addresses'),
    default: 'no',
    meaning:
      'Whether each request is one line of the log, at its end; `addresses`: with the address of a client that has no API key.',
    change: 'You want to follow single requests. Addresses are personal data.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: baseUrl,
    default: null,
    meaning:
      'Base URL of an OpenTelemetry collector, for traces by OTLP over HTTP, such as `http://localhost:4318`. Unset: no traces.',
    change: 'You have a collector of traces.',
  },
} as const satisfies Record<string, Variable>;
