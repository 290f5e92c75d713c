// Variables about the process: its addresses, workers, stop, logs and traces.

import { z } from 'zod';
import { baseUrl, integer, listenAddress, oneOf, type Variable, workerCount } from './variable-types.ts';

export const LISTENING_VARIABLES = {
  PORT: {
    type: integer(0, 65_535),
    default: '4000',
    meaning: 'Port to listen on. With 0, the system chooses a free port.',
    changeWhen: 'Another program uses the port.',
  },
  HOST: {
    type: z.string(),
    default: '127.0.0.1',
    meaning: 'Address to listen on; `::` is all addresses, IPv4 and IPv6.',
    changeWhen: 'Clients on other machines connect without a proxy on this machine.',
  },
  OPS_ADDRESS: {
    type: listenAddress,
    meaning:
      'A second address and port, such as `127.0.0.1:9464`, for `/healthz`, `/readyz` and `/metrics`. `/metrics` is then served only there.',
    changeWhen: 'Clients must not read the metrics.',
  },
} as const satisfies Record<string, Variable>;

export const PROCESS_VARIABLES = {
  WORKERS: {
    type: workerCount,
    default: '1',
    meaning: 'Number of processes that share the port; `auto` is one for each processor.',
    changeWhen: 'One process uses a whole processor, and the machine has more processors.',
  },
  SHUTDOWN_DRAIN_MS: {
    type: integer(0, 600_000),
    default: '2000',
    meaning:
      'Milliseconds after SIGTERM in which the gateway still serves every request, while `/readyz` has status 503.',
    changeWhen: 'Balancers take longer than this to notice that `/readyz` fails.',
  },
  SHUTDOWN_TIMEOUT_MS: {
    type: integer(0, 600_000),
    default: '10000',
    meaning: 'Milliseconds after SHUTDOWN_DRAIN_MS for running requests to finish.',
    changeWhen:
      'Requests take longer than this. The supervisor must wait for the sum of both times before it kills the process.',
  },
  LOG_LEVEL: {
    type: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    meaning: 'The log has messages of this level and of higher levels.',
    changeWhen: 'You look for the cause of a problem (`debug`), or the log is too long (`warn`).',
  },
  ACCESS_LOG: {
    type: oneOf('no', 'yes', 'probes', 'addresses'),
    default: 'no',
    meaning:
      'Whether the log has a line for each request, except `/healthz`, `/readyz` and `/metrics`; with `probes` also for these. With `addresses`, the line of a client without an API key has its address.',
    changeWhen: 'You want to follow single requests. Addresses are personal data.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    isSecret: true,
    type: baseUrl,
    meaning:
      'Base URL of an OpenTelemetry collector, for traces by OTLP over HTTP, such as `http://localhost:4318`. Unset: no traces.',
    changeWhen: 'You have a collector of traces.',
  },
} as const satisfies Record<string, Variable>;
