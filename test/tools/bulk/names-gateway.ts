// A gateway for look-ups of many names.

import { onTestFinished } from 'vitest';
import type { AppParts } from '../../../src/app.ts';
import { readFields } from '../../../src/tools/bulk/fields.ts';
import { type SendOperation, sendInProcess } from '../../../src/tools/gateway-client/send-operation.ts';
import {
  createFakeDirectory,
  type FakeDirectoryOptions,
  type RecordBehaviour,
  urlValue,
} from '../../support/fake-directory.ts';
import { createTestGateway } from '../../support/gateway.ts';

export const EXISTS = readFields('exists');
export const FOUND = [urlValue('https://example.org/')];

export function namesUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `10.1000/${index}`);
}

export function allFound(names: readonly string[]): Record<string, RecordBehaviour> {
  return Object.fromEntries(names.map((name) => [name, FOUND]));
}

/** A gateway over a fake directory. Records the size of each operation, and the waits. */
export async function setUp(
  options: FakeDirectoryOptions,
  env: Readonly<Record<string, string>> = {},
  limits: AppParts['limits'] = {},
) {
  const directory = createFakeDirectory(options);
  const { app, close } = await createTestGateway({ directory, limits }, env);
  onTestFinished(close);
  const sendHere = sendInProcess(app.fetch);
  const sizes: number[] = [];
  const waits: number[] = [];
  const send: SendOperation = (query, variables, signal) => {
    sizes.push((variables['inputs'] as string[]).length);
    return sendHere(query, variables, signal);
  };
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  return { gateway: { send, wait }, sizes, waits, calls: directory.calls };
}
