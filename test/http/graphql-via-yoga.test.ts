import { expect, test } from 'vitest';
import { createViaYoga, type ViaYogaOptions } from '../../src/http/graphql/graphql-via-yoga.ts';
import { OperationTime } from '../../src/http/graphql/operation-time.ts';

test('an operation whose client aborts before its turn is not executed', async () => {
  let executions = 0;
  const client = new AbortController();
  const { respond } = createViaYoga({
    turns: { next: async () => client.abort() },
    executeWithYoga: async () => async () => {
      executions += 1;
      return Response.json({ data: null });
    },
  } as unknown as ViaYogaOptions);
  const request = { signal: client.signal, requester: { client: { key: 'a' } } };
  const response = respond({ request } as never, {} as never, {} as never, new OperationTime(request, 1_000));
  await expect(response).rejects.toMatchObject({ name: 'AbortError' });
  expect(executions).toBe(0);
});
