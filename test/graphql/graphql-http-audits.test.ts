import { serverAudits } from 'graphql-http';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { EXECUTIONS } from './two-executions.ts';

test.each(EXECUTIONS)(
  'the gateway passes every audit of graphql-http for servers, executed %s',
  async (_how, yogaExecutesAll) => {
    const { url, close } = await startGateway({ yogaExecutesAll });
    onTestFinished(close);
    const failures: string[] = [];
    for (const { id, name, fn } of serverAudits({ url: `${url}/graphql` })) {
      const result = await fn();
      if (result.status !== 'ok') failures.push(`${id} ${name}: ${result.reason}`);
    }
    expect(failures).toEqual([]);
  },
);
