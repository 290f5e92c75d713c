// A gateway over a fake directory that ends with its test.

import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { App, AppParts } from '../../src/app.ts';
import {
  createFakeDirectory,
  type FakeDirectory,
  type FakeDirectoryOptions,
} from '../support/fake-directory.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';

export interface FakeGateway {
  readonly app: App;
  readonly query: TestGateway['query'];
  /** the look-ups that reached the directory */
  readonly calls: FakeDirectory['calls'];
}

export async function createFakeGateway(options: FakeDirectoryOptions = {}): Promise<FakeGateway> {
  const directory = createFakeDirectory(options);
  const { app, query, close } = await createTestGateway({ directory });
  onTestFinished(close);
  return { app, query, calls: directory.calls };
}

export interface LoggedGateway {
  readonly gateway: TestGateway;
  /** the lines of the log until now */
  readonly log: readonly string[];
  /** the look-ups that reached the fake directory */
  readonly calls: FakeDirectory['calls'];
}

/** A gateway with a log that the test can read. If `options` is null, `env` names its directory. */
export async function createLoggedGateway(
  options: FakeDirectoryOptions | null,
  env: Readonly<Record<string, string>> = {},
  limits: AppParts['limits'] = {},
): Promise<LoggedGateway> {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const directory = createFakeDirectory(options ?? {});
  const gateway = await createTestGateway(options === null ? { log } : { log, directory, limits }, env);
  onTestFinished(gateway.close);
  return { gateway, log: lines, calls: directory.calls };
}

/** The calls of a directory that got no look-up. */
export const NO_CALLS: FakeDirectory['calls'] = { resolve: [], whichRa: [] };

/** The look-up of a record, as the call log has it. */
export function recordCall(name: string, { auth = false, cert = false } = {}) {
  return { name, auth, cert };
}
