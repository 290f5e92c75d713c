// The gateway that a command opens ends with the command: its timers and connections would keep the process alive.

import { expect, test } from 'vitest';
import { NoGatewayError } from '../../../src/tools/gateway-client/send-operation.ts';
import { fakeGateway, runCli } from './run-cli.ts';

test.each(['answers', 'fails'])('a gateway that %s is closed once', async (how) => {
  const { send: ask, ...rest } = await fakeGateway();
  let closed = 0;
  const gateway = {
    ...rest,
    send: how === 'answers' ? ask : () => Promise.reject(new NoGatewayError('It fails.')),
    async close() {
      closed += 1;
    },
  };
  const { code } = await runCli(['bulk', '-f', 'exists'], { gateway, stdin: '10.1000/1\n' });
  expect([code, closed]).toEqual([how === 'answers' ? 0 : 3, 1]);
});
