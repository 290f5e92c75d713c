// `doi` in-process: what it is given, what it writes, how it ends.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
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
  /** milliseconds that were waited for, one after the other */
  readonly waits: readonly number[];
}

export interface Run {
  /** text, or bytes in pieces */
  /** instead of one that is kept */
  readonly stdout?: Writable;
  readonly stdin?: string | readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  readonly gateway?: Gateway;
  /** in place of `gateway` */
  readonly open?: () => Promise<Gateway>;
  readonly environment?: DoiProcess['environment'];
  readonly now?: () => number;
  /** standard output and error are terminals */
  readonly isTerminal?: boolean;
  readonly signal?: AbortSignal;
  /** instead of one that keeps how long it was to wait */
  readonly wait?: DoiProcess['wait'];
}

/** Runs `doi` as a process would, but for the process. Without a gateway, to open one fails. */
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

/** An end of a pipe that nobody reads: what is written to it fails as the system does. */
export function closedPipe(): Writable {
  const stream = new PassThrough();
  stream.write = (() => {
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    return false;
  }) as typeof stream.write;
  return stream;
}

export interface FakeGateway extends Gateway {
  /** what the directory was asked */
  readonly calls: FakeDirectory['calls'];
  /** how many operations there were */
  readonly operations: () => number;
}

/** A gateway in this process over a fake directory, closed when the test is over. */
export async function fakeGateway(
  options: FakeDirectoryOptions = {},
  told: Partial<Pick<Gateway, 'isSample' | 'maxLookups'>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<FakeGateway> {
  const directory = createFakeDirectory(options);
  const { app, close } = await createTestGateway({ directory }, env);
  onTestFinished(close);
  const here = sendInProcess(app.fetch);
  let operations = 0;
  const ask: SendOperation = (query, variables, signal) => {
    operations += 1;
    return here(query, variables, signal);
  };
  return {
    send: ask,
    maxLookups: 2_000,
    isSample: false,
    ...told,
    async close() {},
    calls: directory.calls,
    operations: () => operations,
  };
}

/** A folder of its own with these files, removed when the test is over. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doi-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}
