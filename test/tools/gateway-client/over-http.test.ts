// If a gateway cannot be reached, the error names the cause.

import { expect, test } from 'vitest';
import { NoGatewayError, sendOverHttp } from '../../../src/tools/gateway-client/send-operation.ts';
import { startDirectoryServer } from '../../support/directory-server.ts';

test('the error names the cause', async () => {
  const server = await startDirectoryServer();
  await server.close();
  const send = sendOverHttp(`${server.url.origin}/graphql`);
  const message = `${server.url.origin}/graphql could not be reached (ECONNREFUSED).`;
  await expect(send('{ __typename }', {})).rejects.toEqual(new NoGatewayError(message));
});

test('the error names no cause if the system gives no code', async () => {
  const server = await startDirectoryServer(({ socket }) => void socket.destroy());
  const send = sendOverHttp(server.url.href);
  await expect(send('{ __typename }', {})).rejects.toThrow(/could not be reached(?: \([A-Z_]+\))?\.$/);
  await server.close();
});
