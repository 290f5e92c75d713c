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
  /** what the directory was asked */
  readonly calls: FakeDirectory['calls'];
}

/** A gateway over a fake directory, closed when the test is over. */
export async function createFakeGateway(options: FakeDirectoryOptions = {}): Promise<FakeGateway> {
  const directory = createFakeDirectory(options);
  const { app, query, close } = await createTestGateway({ directory });
  onTestFinished(close);
  return { app, query, calls: directory.calls };
}

export interface LoggedGateway {
  readonly gateway: TestGateway;
  /** the log's lines so far, as they would be written */
  readonly log: readonly string[];
  /** what the fake directory was asked */
  readonly calls: FakeDirectory['calls'];
}

/** A gateway over a fake directory, or for null over the one that `env` names, with a log that can be read. */
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

/** The log of a directory that was asked nothing. */
export const NO_CALLS: FakeDirectory['calls'] = { resolve: [], whichRa: [] };

/** A question for a record as the call log has it. */
export function asked(name: string, { auth = false, cert = false } = {}) {
  return { name, auth, cert };
}
