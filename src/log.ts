// The log: one JSON object on each line.

import { type DestinationStream, type Logger, pino } from 'pino';
import { safeLogLine, stackOf } from './safe-text.ts';

/** The part of a logger that the gateway uses. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/**
 * @param level of pino: trace, debug, info, warn, error, fatal or silent
 * @param destination default: stdout
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const isDetailed = level === 'debug' || level === 'trace';
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: { streamWrite: safeLogLine },
      serializers: { err: isDetailed ? detailedError : serializedError },
    },
    destination,
  );
}

/** The `name` of expected failures (errors.ts). */
const EXPECTED = 'GatewayError';

type LoggedError = Error & { readonly code?: unknown; readonly details?: unknown };

/** Omits the stack of an expected failure, because an outage can cause thousands of them. */
function serializedError(error: LoggedError): object {
  if (error.name !== EXPECTED) return detailedError(error);
  const { name: type, message, code, details, cause } = error;
  return { type, message, code, details, causes: causesOf(cause) };
}

/**
 * Other members of an error can hold secrets: an error of ioredis has the command, and AUTH has the password. So only the
 * stacks of the error and of its causes are logged, and the details of our own errors.
 */
function detailedError(error: LoggedError): object {
  const { name, message, code } = error;
  const own = name === EXPECTED ? { details: error.details } : {};
  return { type: name, message, code, ...own, stack: stackOf(error) };
}

const MAX_CAUSES = 5;

/** The chain of causes, each as `Error ECONNREFUSED: …`. */
function causesOf(cause: unknown): readonly string[] {
  const causes: string[] = [];
  for (let error = cause; error instanceof Error && causes.length < MAX_CAUSES; error = error.cause) {
    const code = 'code' in error ? ` ${error.code}` : '';
    causes.push(`${error.name}${code}: ${error.message}`);
  }
  return causes;
}
