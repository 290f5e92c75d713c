import { onTestFinished } from 'vitest';
import type { App } from '../../src/app.ts';
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

/** The log of a directory that was asked nothing. */
export const NO_CALLS: FakeDirectory['calls'] = { resolve: [], whichRa: [] };

/** A question for a record as the call log has it. */
export function asked(name: string, { auth = false, cert = false } = {}) {
  return { name, auth, cert };
}
