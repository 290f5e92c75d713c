#!/usr/bin/env node
// The process of the command line: its streams, its signals, its end.

import { constants } from 'node:os';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { safeText } from '../../safe-text.ts';
import { FAULT } from './command.ts';
import { Interruption, runDoi } from './run-doi.ts';

/** What may keep a process that is done, such as a connection to a gateway. */
const LEAVE_MS = 500;

// V8 lets a small heap grow to several times of what is in use. This is no limit: large files still fit.
setFlagsFromString('--heap-growing-percent=30');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Given twice it ends the process at once.
  process.once(signal, () => stop.abort(new Interruption(constants.signals[signal])));
}

/** Node would end with 1, which says that a name is absent, and print the message of the error as it is. */
process.on('uncaughtException', (error) => {
  report(error);
  process.exit(FAULT);
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
  return FAULT;
});
// Somebody may still hold the other end of it.
process.stdin.destroy();
setTimeout(() => process.exit(), LEAVE_MS).unref();

function report(error: unknown): void {
  process.stderr.write(`doi: ${safeText(inspect(error), '\n')}\n`);
}
