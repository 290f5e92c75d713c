// Values that the record hides from the public: no response shows them, and no decision depends on them.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandleName } from 'doi-names';
import { toHandleName } from 'doi-names/parts';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { recordCodec } from '../../src/cache/codec.ts';
import { decodeAnswer, decodeStoredRecord } from '../../src/handle/record.ts';
import { createAnswerChunk, storedRow } from '../../src/jobs/answer-chunk.ts';
import type { JobTask } from '../../src/jobs/store/job-store.ts';
import { openTable } from '../../src/tools/bulk/input-table.ts';
import { type SendOperation, sendInProcess } from '../../src/tools/gateway-client/send-operation.ts';
import { createTurns } from '../../src/turns.ts';
import { newJobKey } from '../jobs/job-folder.ts';
import { startGateway } from '../support/gateway.ts';
import { keepLog } from '../support/log-lines.ts';
import { rawRequest } from '../support/raw-http.ts';
import { bytesOf } from '../tools/bulk/read-table.ts';
import { runCli } from '../tools/cli/run-cli.ts';
import { callTool, connect } from '../tools/mcp/mcp-gateway.ts';

const SECRET = 'hidden-5ecret';
const SECRETS = [SECRET, Buffer.from(SECRET).toString('base64'), Buffer.from(SECRET).toString('hex')];
const NAMES = ['10.5555/a', '10.5555/b', '0.NA/10.5555', '10.5555/c', '10/abcde'];

const TYPES = [
  'URL',
  'URL.PDF',
  'HS_ALIAS',
  '10320/loc',
  '10320/links',
  'HS_NAMESPACE',
  'HS_SECKEY',
  'EMAIL',
];
const type = fc.constantFrom(...TYPES);

/** Texts that can decide the target of a redirect. */
const textsWith = (word: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    word,
    `https://${word}.example/`,
    `10.5555/${word}`,
    '10.5555/b',
    `<locations><location weight="9" id="${word}" href="https://${word}.example/" rel="x"/></locations>`,
    `<namespace><status>inactive</status><locs>10.5555/b</locs><x>${word}</x></namespace>`,
  );
const dataWith = (word: string) =>
  textsWith(word).chain((text) =>
    fc.constantFrom<unknown>(
      text,
      { format: 'string', value: text },
      { format: 'base64', value: Buffer.from(word).toString('base64') },
      { format: 'hex', value: Buffer.from(word).toString('hex') },
      { format: 'new', value: [word] },
    ),
  );
const valueWith = (word: string, permissions: fc.Arbitrary<string>, ttl: number) =>
  fc.record({
    index: fc.integer({ min: 1, max: 300 }),
    type,
    data: dataWith(word),
    ttl: fc.constant(ttl),
    permissions,
  });
const hidden = valueWith(
  SECRET,
  fc.constantFrom('1100', '1101', '0000', '1000', '', '11', '11x0', '111'),
  77,
);
const open = valueWith('open', fc.constantFrom('1110', '1111', '0010'), 86_400);
const values = fc.array(fc.oneof(hidden, open), { minLength: 1, maxLength: 6 });

const isOpen = ({ permissions }: { readonly permissions: string }) => /^..1.$/.test(permissions);

test('no decoded record has hidden values', () => {
  const handle = toHandleName('10.5555/a') as HandleName;
  fc.assert(
    fc.property(values, (wire) => {
      const openValues = wire.filter(isOpen);
      const expected = openValues.map(({ index }) => index);
      const indexes = (read: readonly { readonly index: number }[]) => read.map(({ index }) => index);
      const cached = JSON.stringify([0, 1, wire]);
      const fromRedis = recordCodec.decode(cached, handle);
      const fromMemory = recordCodec.decodeOwn(cached, handle);
      expect(indexes(decodeAnswer({ responseCode: 1, handle, values: wire }).values)).toEqual(expected);
      expect(indexes(decodeStoredRecord({ handle, values: wire }).values)).toEqual(expected);
      for (const record of [fromRedis, fromMemory]) {
        const isEmpty = expected.length === 0;
        expect(record.responseCode).toBe(isEmpty ? 200 : 1);
        expect(record.freshUntil).toBe(isEmpty ? 300_000 : 86_400_000);
        expect(indexes(record.values)).toEqual(expected);
        expect(recordCodec.encode(record)).not.toContain(SECRET);
      }
    }),
  );
});

const FIELDS = 'exists,status,target,via,alias,suggestion,title,citation';

/** The result of a job with all names. */
async function resultOfJob(send: SendOperation): Promise<string> {
  const { shape, rows } = await openTable(bytesOf(Buffer.from(`doi\n${NAMES.join('\n')}\n`)), {});
  const task: JobTask = { shape, fields: FIELDS, format: 'csv', excel: false, prefix: '', form: null };
  const stored: string[] = [];
  for await (const batch of rows) stored.push(...batch.map(storedRow));
  const answer = createAnswerChunk(() => send, createTurns());
  const { signal } = new AbortController();
  const { body } = await answer({ task, rows: stored, chunk: 0, jobKey: newJobKey(), signal });
  return Buffer.from(body).toString();
}

const OPERATION = `query Read($name: String!) {
  handle(name: $name) {
    ...Parts
    doi { ...DoiParts suggestions { name } registrationAgency { name } }
  }
  doiPrefix(name: "10.5555") { record { responseCode values { text } } }
  doiDirectory { description }
}
fragment Parts on Handle {
  exists alias { handle } locations { href attributes { value } }
  redirect { url chosenBy via statusCode candidates { href } warnings { message } }
  record { responseCode message freshUntil values { index type text permissions data { format ... on HandleBinaryData { base64 hex } ... on HandleStringData { value } } } }
  hidden: record { values(types: ["HS_SECKEY", "URL."], indexes: [1, 2, 3, 300]) { index type text } }
}
fragment DoiParts on DOI {
  redirect(parameters: { locatt: ["id:${SECRET}"], types: ["URL", "10320/loc"] }) { url candidates { href } }
  metadata { title } citation
}`;

test('no response, log line or metric shows a hidden value or depends on it', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'doi-hidden-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'records.jsonl');
  /** All responses, log lines and metrics for these records. */
  async function responsesOf(
    records: readonly { readonly handle: string; readonly values: readonly unknown[] }[],
  ) {
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const { log, lines } = keepLog('trace');
    const gateway = await startGateway({ log, random: () => 0 }, { DOI_DIRECTORY_FILE: file });
    const client = await connect(gateway.url, {});
    const send = sendInProcess(gateway.app.fetch);
    const got: unknown[] = [];
    for (const name of NAMES) {
      for (const target of [
        `/api/handles/${name}`,
        `/api/handles/${name}?type=HS_SECKEY&type=URL.&index=1&index=300&pretty&callback=f`,
        `/${name}`,
        `/${name}?noredirect&ignore_aliases`,
        `/${name}?action=showurls`,
        `/${name}?locatt=id:${SECRET}&type=10320/loc`,
        `/doiRA/${name}`,
      ]) {
        const { status, headers, body } = await rawRequest(gateway.url, target);
        const { location, link, vary, 'cache-control': cacheControl } = headers;
        const shown = body.replaceAll(`locatt=id:${SECRET}`, '');
        got.push([target.replaceAll(SECRET, ''), status, shown, vary, cacheControl, link, location]);
      }
      const read = await send<{ readonly handle: unknown }>(OPERATION, { name });
      expect(read.data?.handle).toBeTruthy();
      got.push(read);
      got.push(await callTool(client, 'resolve_doi', { doi: name }));
      const opened = { send, maxLookups: 2_000, isSample: false, close: async () => {} };
      got.push(await runCli(['bulk', '--fields', FIELDS], { gateway: opened, stdin: `${name}\n` }));
    }
    got.push(await resultOfJob(send));
    const metrics = await rawRequest(gateway.url, '/metrics');
    await client.close();
    await gateway.close();
    const logged = JSON.stringify(lines).replaceAll(`locatt=id:${SECRET}`, '');
    return { got: withoutTimes(JSON.stringify(got)), all: JSON.stringify(got) + metrics.body + logged };
  }
  const some = fc.array(values, { minLength: NAMES.length, maxLength: NAMES.length });
  await fc.assert(
    fc.asyncProperty(some, async (lists) => {
      const records = NAMES.map((handle, position) => ({ handle, values: lists[position] ?? [] }));
      const { got, all } = await responsesOf(records);
      for (const secret of SECRETS) expect(all.replaceAll(`id:${SECRET}`, '')).not.toContain(secret);
      const openRecords = records.map((record) => ({ ...record, values: record.values.filter(isOpen) }));
      expect(got).toBe((await responsesOf(openRecords)).got);
    }),
    { numRuns: 6 },
  );
});

/** Removes the times, because the two gateways start at different times. */
function withoutTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|max-age=\d+/g, '');
}
