#!/usr/bin/env node
// The process of the command line: its streams, its signals, its end.

import { constants } from 'node:os';
import { inspect } from 'node:util';
import { FAULT } from './exit-codes.ts';
import { Interruption, runDoi } from './run-doi.ts';

/** What may keep a process that is done, such as a connection to a gateway. */
const LEAVE_MS = 500;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Given twice it ends the process at once.
  process.once(signal, () => stop.abort(new Interruption(constants.signals[signal])));
}

process.exitCode = await runDoi(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  signal: stop.signal,
  now: Date.now,
}).catch((error: unknown) => {
  process.stderr.write(`doi: ${inspect(error)}\n`);
  return FAULT;
});
// Somebody may still hold the other end of it.
process.stdin.destroy();
setTimeout(() => process.exit(), LEAVE_MS).unref();
