// The whole gateway: in-process for most tests, on loopback for tests that need a real server.

import type { AddressInfo } from 'node:net';
import { type App, type AppParts, createApp } from '../../src/app.ts';
import { type Environment, parseConfig } from '../../src/config.ts';
import { createGatewayServer } from '../../src/http/connection/gateway-server.ts';
import { recorded } from './operation-recorder.ts';

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface GraphqlResult<Data> {
  readonly data: Data;
  readonly errors?: readonly GraphqlError[];
}

export interface TestGateway {
  readonly app: App;
  /** Sends an operation in-process, through HTTP parsing and all plugins. */
  query<Data = Record<string, unknown>>(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
  ): Promise<GraphqlResult<Data>>;
  close(): Promise<void>;
}

/** A gateway that logs nothing, unless `parts.log` is given. */
export async function createTestGateway(parts: AppParts = {}, env: Environment = {}): Promise<TestGateway> {
  const app = recorded(await createApp(parseConfig({ LOG_LEVEL: 'silent', ...env }), parts));
  return {
    app,
    async query<Data>(query: string, variables: Readonly<Record<string, unknown>> = {}) {
      const response = await app.fetch(
        new Request('http://gateway.test/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables }),
        }),
      );
      return (await response.json()) as GraphqlResult<Data>;
    },
    close: () => app.dispose(),
  };
}

export interface ListeningGateway {
  /** `http://127.0.0.1:…`, without a slash at its end */
  readonly url: string;
  readonly app: App;
  close(): Promise<void>;
}

/** A gateway on a free port of the loopback address. */
export async function startGateway(parts: AppParts = {}, env: Environment = {}): Promise<ListeningGateway> {
  const { app } = await createTestGateway(parts, env);
  const server = createGatewayServer(app.listener, {
    config: parseConfig(env),
    log: app.log,
    memoryAccount: app.memoryAccount,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    app,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await app.dispose();
    },
  };
}
