// A look-up that the gateway's circuit held back is not retried, because the gateway has already waited.

import { expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { answerNames } from '../../../src/tools/bulk/answer-names.ts';
import { readFields } from '../../../src/tools/bulk/fields.ts';
import { type SendOperation, sendInProcess } from '../../../src/tools/gateway-client/send-operation.ts';
import { createFakeDirectory, urlValue } from '../../support/fake-directory.ts';
import { createTestGateway } from '../../support/gateway.ts';

const EXISTS = readFields('exists');
const NAMES = ['10.1000/1', '10.1000/2', '10.1000/3'];
const wait = () => Promise.reject(new Error('nothing to wait for'));

test('a name that was held back is not retried, and the other names have a result', async () => {
  const details = { heldBack: true, retryAfterSeconds: 2 };
  const found = [urlValue('https://example.org/')];
  const directory = createFakeDirectory({
    records: {
      '10.1000/1': found,
      '10.1000/2': new GatewayError('UPSTREAM_UNAVAILABLE', { details }),
      '10.1000/3': found,
    },
  });
  const { app, close } = await createTestGateway({ directory });
  onTestFinished(close);
  const answers = await answerNames(NAMES, EXISTS, { send: sendInProcess(app.fetch), wait });
  expect(answers.map((answer) => answer?.error)).toEqual([null, 'UPSTREAM_UNAVAILABLE', null]);
  expect(directory.calls.resolve).toHaveLength(3);
});

test('a whole operation that was held back is not retried', async () => {
  const extensions = { code: 'UPSTREAM_UNAVAILABLE', retryable: true, heldBack: true };
  let operations = 0;
  const send: SendOperation = async () => {
    operations += 1;
    return { data: null, errors: [{ message: 'The directory is down.', extensions }] };
  };
  const answers = await answerNames(NAMES, EXISTS, { send, wait });
  expect(answers.map((answer) => answer?.error)).toEqual(NAMES.map(() => 'UPSTREAM_UNAVAILABLE'));
  expect(operations).toBe(1);
});
