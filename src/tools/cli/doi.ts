#!/usr/bin/env node

// The executable `doi`: connects `runDoi` to the streams, signals and exit of the process.

import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { safeText, stackOf } from '../../safe-text.ts';
import { INTERNAL_FAULT, LOOK_UP_FAILED } from './command.ts';
import { Interruption, runDoi } from './run-doi.ts';

/** Open connections can keep a finished process alive. After this time the process exits in any case. */
const LEAVE_MS = 500;

// By default V8 lets a small heap grow to several times its used size. With this option the heap grows in smaller
// steps. The option sets no limit, so large files still fit.
setFlagsFromString('--heap-growing-percent=30');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A second signal ends the process at once.
  process.once(signal, () => stop.abort(new Interruption(constants.signals[signal])));
}

/** Without this listener, Node would print the unfiltered message, and exit with 1, which means "absent". */
process.on('uncaughtException', (error) => {
  report(error);
  process.exit(INTERNAL_FAULT);
});

/**
 * Node exits with this status if a promise is pending for ever. In a few of a thousand cases, its `fetch` never settles when
 * a server closes a new connection.
 */
const PENDING_FOR_EVER = 13;
process.once('exit', () => {
  if (process.exitCode !== PENDING_FOR_EVER) return;
  process.stderr.write('doi: a server closed its connection without a response. Try again.\n');
  process.exitCode = LOOK_UP_FAILED;
});

process.exitCode = await runDoi(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  signal: stop.signal,
  now: Date.now,
}).catch((error: unknown) => {
  report(error);
  return INTERNAL_FAULT;
});
// An open standard input would keep the process alive.
process.stdin.destroy();
setTimeout(() => process.exit(), LEAVE_MS).unref();

function report(error: unknown): void {
  process.stderr.write(`doi: ${safeText(stackOf(error), '\n')}\n`);
}
