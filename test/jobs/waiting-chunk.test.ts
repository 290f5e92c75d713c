// A chunk waits for a directory that is down. It does not wait for an agency, which can be down for days.

import { expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { createAnswerChunk, storedRow } from '../../src/jobs/answer-chunk.ts';
import { type SendOperation, sendInProcess } from '../../src/tools/gateway-client/send-operation.ts';
import { createTurns } from '../../src/turns.ts';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { allRows, tableOf } from '../tools/bulk/read-table.ts';
import { newJobKey } from './job-folder.ts';

async function chunkFrom(send: SendOperation, fields: string) {
  const { shape, rows } = await tableOf('doi\n10.5555/1\n10.5555/2\n');
  const task = { shape, fields, format: 'csv', excel: false, prefix: '', form: null } as const;
  const { signal } = new AbortController();
  const stored = (await allRows(rows)).map(storedRow);
  const answer = createAnswerChunk(() => send, createTurns());
  return answer({ task, rows: stored, chunk: 0, jobKey: newJobKey(), signal });
}

test('a chunk does not wait for an agency that is down, and its rows name the agency', async () => {
  const details = { heldBack: true, agency: 'mEDRA', host: 'data.medra.org' };
  const down = new GatewayError('UPSTREAM_UNAVAILABLE', { details });
  const records = { '10.5555/1': [urlValue('https://e.org/')], '10.5555/2': [urlValue('https://e.org/')] };
  const directory = createFakeDirectory({ records, metadata: { '10.5555/1': down, '10.5555/2': down } });
  const { app, close } = await createTestGateway({ directory }, { METADATA: 'yes' });
  onTestFinished(close);
  const chunk = await chunkFrom(sendInProcess(app.fetch), 'title');
  expect([chunk.retryableRows, chunk.mustWait]).toEqual([2, false]);
  expect(chunk.body.toString()).toBe(
    'doi,title,error\n10.5555/1,,UPSTREAM_UNAVAILABLE mEDRA data.medra.org\n10.5555/2,,UPSTREAM_UNAVAILABLE mEDRA data.medra.org\n',
  );
});

test('a chunk waits for a directory that is down', async () => {
  const extensions = { code: 'UPSTREAM_UNAVAILABLE', retryable: true, heldBack: true };
  const send: SendOperation = async () => ({ data: null, errors: [{ message: 'down', extensions }] });
  const chunk = await chunkFrom(send, 'exists');
  expect([chunk.retryableRows, chunk.mustWait]).toEqual([2, true]);
});
