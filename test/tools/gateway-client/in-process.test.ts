import { expect, test } from 'vitest';
import { sendInProcess } from '../../../src/tools/gateway-client/send-operation.ts';

test('a response to an aborted request is ignored', async () => {
  const controller = new AbortController();
  const gone = new Error('gone');
  const send = sendInProcess(async () => {
    controller.abort(gone);
    return Response.json({ data: { dois: [null] }, errors: [{ message: 'm', path: ['dois', 0] }] });
  });
  await expect(send('{ dois { name } }', {}, controller.signal)).rejects.toBe(gone);
});

test('each error of a response gets a code', async () => {
  const send = sendInProcess(async () => Response.json({ data: null, errors: [{ message: 'm' }] }));
  expect(await send('{ a }', {})).toEqual({
    data: null,
    errors: [{ message: 'm', extensions: { code: 'UNKNOWN' } }],
  });
});
