// Runs `doi` in-process, with its input, its output and its exit code.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Gateway } from '../../../src/tools/cli/command.ts';
import { type DoiProcess, runDoi } from '../../../src/tools/cli/run-doi.ts';
import { type SendOperation, sendInProcess } from '../../../src/tools/gateway-client/send-operation.ts';
import {
  createFakeDirectory,
  type FakeDirectory,
  type FakeDirectoryOptions,
  NOW,
} from '../../support/fake-directory.ts';
import { createTestGateway } from '../../support/gateway.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** milliseconds of each wait */
  readonly waits: readonly number[];
}

export interface Run {
  /** in place of a stream whose text `runCli` returns */
  readonly stdout?: Writable;
  /** text, or bytes in pieces */
  readonly stdin?: string | readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  readonly gateway?: Gateway;
  /** in place of `gateway` */
  readonly open?: () => Promise<Gateway>;
  readonly environment?: DoiProcess['environment'];
  readonly now?: () => number;
  /** standard output and error are terminals */
  readonly isTerminal?: boolean;
  readonly signal?: AbortSignal;
  /** in place of waits that end at once */
  readonly wait?: DoiProcess['wait'];
}

/** Runs `doi` without a process. A command that opens a gateway fails if the test gives no gateway. */
export async function runCli(args: readonly string[], run: Run = {}): Promise<Ended> {
  const { stdin = '', gateway, environment = {}, now = () => NOW, isTerminal = false } = run;
  const [stdout, stderr] = [collector(isTerminal), collector(isTerminal)];
  const waits: number[] = [];
  const code = await runDoi(args, {
    stdin: Readable.from(typeof stdin === 'string' ? [Buffer.from(stdin)] : stdin),
    stdout: run.stdout ?? stdout.stream,
    stderr: stderr.stream,
    environment,
    signal: run.signal ?? new AbortController().signal,
    now,
    openGateway: async () => {
      if (run.open) return run.open();
      if (!gateway) throw new Error('a gateway was opened');
      return gateway;
    },
    wait: run.wait ?? (async (ms) => void waits.push(ms)),
  });
  return { code, stdout: stdout.text(), stderr: stderr.text(), waits };
}

function collector(isTTY: boolean) {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(piece: string, _encoding, done) {
      text += piece;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => text };
}

/** The objects in lines of JSON. */
export function jsonLines<Line = Record<string, unknown>>(stdout: string): Line[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line);
}

export interface FakeGateway extends Gateway {
  /** the calls of the directory */
  readonly calls: FakeDirectory['calls'];
  /** the number of operations */
  readonly operations: () => number;
}

/** An in-process gateway over a fake directory. It is closed at the end of the test. */
export async function fakeGateway(
  options: FakeDirectoryOptions = {},
  parts: Partial<Pick<Gateway, 'isSample' | 'maxLookups'>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<FakeGateway> {
  const directory = createFakeDirectory(options);
  const { app, close } = await createTestGateway({ directory }, env);
  onTestFinished(close);
  const sendHere = sendInProcess(app.fetch);
  let operations = 0;
  const send: SendOperation = (query, variables, signal) => {
    operations += 1;
    return sendHere(query, variables, signal);
  };
  return {
    send,
    maxLookups: 2_000,
    isSample: false,
    ...parts,
    async close() {},
    calls: directory.calls,
    operations: () => operations,
  };
}

/** The operations of a gateway whose directory is down. */
export const outage: SendOperation = async () => ({
  data: null,
  errors: [{ message: 'down', extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } }],
});

/** A new folder with these files. It is removed at the end of the test. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doi-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}
