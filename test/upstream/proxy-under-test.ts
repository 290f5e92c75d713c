// A proxy directory before a server that plays the proxy, with its log to be read.

import type { HandleName } from 'doi-names';
import { toHandleName } from 'doi-names/parts';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Directory } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { createProxyDirectory, type ProxyDirectoryOptions } from '../../src/upstream/proxy.ts';
import { type Behaviour, type DirectoryServer, startDirectoryServer } from '../support/directory-server.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** Any text as a handle name; throws if it is none. */
export function handleName(text: string): HandleName {
  const name = toHandleName(text);
  if (name === null) throw new Error(`${JSON.stringify(text)} is no handle name`);
  return name;
}

export interface ProxyUnderTest {
  readonly directory: Directory;
  readonly server: DirectoryServer;
  /** everything that was logged, one JSON object a line */
  logged(): string;
}

/** A directory at `baseUrls` that gives an answer ample time, and asks once. */
export function createProxyAt(baseUrls: URL | readonly URL[], options: Partial<ProxyDirectoryOptions> = {}) {
  const lines: string[] = [];
  const directory = createProxyDirectory({
    baseUrls: baseUrls instanceof URL ? [baseUrls] : baseUrls,
    userAgent: 'doi-gateway/0.0.0',
    timeoutMs: 15_000,
    maxResponseBytes: 1_000_000,
    maxConnections: 8,
    deadlineMs: 15_000,
    retries: 0,
    whichRa: { maxUrlBytes: 4_000, maxNames: 500 },
    probeName: handleName('10.1000/1'),
    log: pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }),
    clock: () => NOW,
    ...options,
  });
  return { directory, logged: () => lines.join('') };
}

/** Both of them, until the test that calls this is over. */
export async function startProxy(
  behaviour?: Behaviour,
  options?: Partial<ProxyDirectoryOptions>,
): Promise<ProxyUnderTest> {
  const server = await startDirectoryServer(behaviour);
  const { directory, logged } = createProxyAt(server.url, options);
  onTestFinished(async () => {
    await directory.close();
    await server.close();
  });
  return { directory, server, logged };
}

/** Sends text or bytes as they are, with the proxy's content type unless another header is given. */
export function answering(
  status: number,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json;charset=utf-8', ...headers });
    response.end(body);
  };
}

/** What a promise is rejected with, if that is a GatewayError. */
export async function failureOf(promise: Promise<unknown>): Promise<GatewayError> {
  const outcome = await promise.catch((error: unknown) => error);
  if (outcome instanceof GatewayError) return outcome;
  throw new Error('no GatewayError', { cause: outcome });
}
