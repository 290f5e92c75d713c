// Structured logs, one JSON object a line. What is logged stays here; clients get the error table's words.

import { type Logger, pino } from 'pino';

/** What the parts of the gateway need of a logger. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** `level` as pino has it: trace, debug, info, warn, error, fatal or silent. */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
