// Computed fields are the same with a gateway and during an outage.

import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { answerNames } from '../../../src/tools/bulk/answer-names.ts';
import { FIELDS } from '../../../src/tools/bulk/fields.ts';
import {
  NoGatewayError,
  type SendOperation,
  sendInProcess,
} from '../../../src/tools/gateway-client/send-operation.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { createTestGateway } from '../../support/gateway.ts';

const COMPUTED = FIELDS.filter(({ isLookUp }) => !isLookUp);
const wait = async () => undefined;
const inputs = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `10.1000/${text}`),
  fc.constantFrom(
    ...['https://doi.org/10.1000/a%23b', 'doi:10.1000/x', 'arXiv:2101.12345', '978-3-16-148410-0', ''],
    ...['see 10.1000/1 and 10.1000/2', '10.1000/1).', '10.1000/раураl', '10/abcde'],
  ),
);

test('computed fields are the same during an outage, for any input and form', async () => {
  const { app, close } = await createTestGateway({ directory: createFakeDirectory() });
  onTestFinished(close);
  const sendHere = sendInProcess(app.fetch);
  const unreachable: SendOperation = async () => {
    throw new NoGatewayError('down');
  };
  let isUp = true;
  const send: SendOperation = (...operation) => (isUp ? sendHere(...operation) : outage());
  const outage = async () => ({
    data: null,
    errors: [{ message: 'down', extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } }],
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(inputs, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(undefined, 'NAME'),
      async (names, form) => {
        isUp = true;
        const expected = await answerNames(names, COMPUTED, { send, wait, form });
        isUp = false;
        const computed = await answerNames(names, COMPUTED, { send, wait, form });
        expect(computed.map((answer) => answer?.values)).toEqual(expected.map((answer) => answer?.values));
      },
    ),
    { numRuns: 60 },
  );
  await expect(answerNames(['10.1000/1'], COMPUTED, { send: unreachable, wait })).rejects.toThrow('down');
});
