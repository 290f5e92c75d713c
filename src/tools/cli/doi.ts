#!/usr/bin/env node
// The process of the command line: its streams, its signals, its end.

import { constants } from 'node:os';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { safeText } from '../../safe-text.ts';
import { FAULT } from './exit-codes.ts';
import { Interruption, runDoi } from './run-doi.ts';

/** Time for open connections to end, which may keep a finished process alive. */
const LEAVE_MS = 500;

// V8 lets a small heap grow to several times its used size. This sets no limit: large files still fit.
setFlagsFromString('--heap-growing-percent=30');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A second signal ends the process at once.
  process.once(signal, () => stop.abort(new Interruption(constants.signals[signal])));
}

/** Node would exit with 1, which means "absent", and print the raw message. */
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
// The other end may still be open.
process.stdin.destroy();
setTimeout(() => process.exit(), LEAVE_MS).unref();

function report(error: unknown): void {
  process.stderr.write(`doi: ${safeText(inspect(error), '\n')}\n`);
}
