// What is said of a gateway that cannot be reached.

import { expect, test } from 'vitest';
import { AskError, askOverHttp } from '../../../src/tools/gateway-client/ask.ts';
import { startDirectoryServer } from '../../support/directory-server.ts';

test('names the cause', async () => {
  const server = await startDirectoryServer();
  await server.close();
  const ask = askOverHttp({ url: `${server.url.origin}/graphql` });
  const message = `${server.url.origin}/graphql could not be reached (ECONNREFUSED).`;
  await expect(ask('{ __typename }', {})).rejects.toEqual(new AskError(message));
});

test('has none to name where the connection is closed without one', async () => {
  const server = await startDirectoryServer(({ socket }) => void socket.destroy());
  const ask = askOverHttp({ url: server.url.href });
  await expect(ask('{ __typename }', {})).rejects.toThrow(/could not be reached(?: \([A-Z_]+\))?\.$/);
  await server.close();
});
