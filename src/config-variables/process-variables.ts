// The process: where it listens, how it runs and ends, what it logs.

import { z } from 'zod';
import { integer, oneOf, type Variable, workerCount } from './variable-types.ts';

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
} as const satisfies Record<string, Variable>;
