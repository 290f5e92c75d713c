// A command closes its gateway. The timers and connections of an open gateway would keep the process alive.

import { expect, test } from 'vitest';
import { NoGatewayError } from '../../../src/tools/gateway-client/send-operation.ts';
import { fakeGateway, runCli } from './run-cli.ts';

test.each(['succeeds', 'fails'])('the gateway of a command that %s is closed once', async (how) => {
  const { send, ...rest } = await fakeGateway();
  let closed = 0;
  const gateway = {
    ...rest,
    send: how === 'succeeds' ? send : () => Promise.reject(new NoGatewayError('It fails.')),
    async close() {
      closed += 1;
    },
  };
  const { code } = await runCli(['bulk', '-f', 'exists'], { gateway, stdin: '10.1000/1\n' });
  expect([code, closed]).toEqual([how === 'succeeds' ? 0 : 3, 1]);
});
