// A resumed run writes the same bytes after a stop at any byte.

import { canonicalName } from 'doi-names';
import { parseDoi } from 'doi-names/parts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAnswerStore } from '../../../src/tools/bulk/distinct-names.ts';
import { readFields } from '../../../src/tools/bulk/fields.ts';
import { resumeRun } from '../../../src/tools/bulk/resume.ts';
import { createRowWriter, type WriterOptions } from '../../../src/tools/bulk/row-writer.ts';
import { runBulk, storeEarlierAnswer } from '../../../src/tools/bulk/run.ts';
import type { SendOperation } from '../../../src/tools/gateway-client/send-operation.ts';
import { bytesOf, tableOf } from './read-table.ts';

const FIELDS = readFields('name,target,problem');
const NEVER = new AbortController().signal;

/** The target of a name shows the spelling of the look-up, and looks like a formula. */
function countingGateway() {
  const lookedUp: string[] = [];
  const send: SendOperation = async (query, { inputs }) => {
    const isLookUp = query.includes('redirect');
    const parseDois = (inputs as string[]).map((input) => {
      const { name, problem } = parseDoi(input);
      if (name === null) return { problem, doi: null };
      if (isLookUp) lookedUp.push(canonicalName(name));
      return { problem: null, doi: { name, redirect: { url: `=${name},"é\n` } } };
    });
    return { data: { parseDois } as never, errors: [] };
  };
  return { send, lookedUp };
}

interface Options extends WriterOptions {
  readonly dedupe: boolean;
}

/** The output after a resumed run, and its look-ups. */
async function resume(input: string, output: Uint8Array, { dedupe, ...writing }: Options) {
  const { shape, rows } = await tableOf(input, { column: 'doi' });
  const writer = createRowWriter(shape, FIELDS, writing);
  const kept = dedupe ? createAnswerStore(null) : null;
  const { send, lookedUp } = countingGateway();
  const resumed = await resumeRun(bytesOf(output, 7), rows, writer, (row, answer) => {
    if (kept) storeEarlierAnswer(kept, FIELDS, row, answer);
  });
  let text = resumed.bytes === 0 ? writer.header : '';
  await runBulk({
    rows: resumed.rows,
    fields: FIELDS,
    writer,
    gateway: { send, wait: async () => undefined },
    stop: NEVER,
    answerStore: kept,
    async write(more) {
      text += more;
    },
  });
  kept?.close();
  return { bytes: Buffer.concat([output.subarray(0, resumed.bytes), Buffer.from(text)]), lookedUp };
}

const CSV =
  'id,doi,title\r\n1,10.1000/1,"two\r\nlines"\n=2,10.1000/B,é€😀\n3,"open\n\n4,10.1000/b,"a ""b"""\n5,nothing,';
const JSON_LINES =
  '{"doi":"10.1000/1","n":1.0}\n{"doi":"10.1000/B","q":"\\""}\n{oops "\n\n{"doi":"10.1000/b"}\n{"doi":"nothing"} \n{"x":"é"}';

const KINDS: readonly (readonly [string, string, Options])[] = [
  ['CSV', CSV, { format: 'csv', dedupe: false }],
  ['CSV, with each name looked up once', CSV, { format: 'csv', dedupe: true }],
  ['CSV without formulas, with each name looked up once', CSV, { format: 'csv', excel: true, dedupe: true }],
  ['JSON Lines from CSV', CSV, { format: 'jsonl', dedupe: true }],
  ['JSON Lines', JSON_LINES, { format: 'jsonl', dedupe: false }],
  ['JSON Lines, with each name looked up once', JSON_LINES, { format: 'jsonl', dedupe: true }],
];

describe('a resumed run', () => {
  test.each(KINDS)('completes an output that stopped at any byte: %s', async (_, input, options) => {
    const whole = await resume(input, Buffer.alloc(0), options);
    const distinct = [...new Set(whole.lookedUp)].sort();
    if (options.dedupe) expect([...whole.lookedUp].sort()).toEqual(distinct);
    for (let length = 0; length <= whole.bytes.length; length += 1) {
      const { bytes, lookedUp } = await resume(input, whole.bytes.subarray(0, length), options);
      expect(bytes.toString()).toBe(whole.bytes.toString());
      if (options.dedupe) expect([...new Set(lookedUp)].sort()).toEqual([...lookedUp].sort());
      if (length === whole.bytes.length) expect(lookedUp).toEqual([]);
    }
  });

  test('refuses an output that differs from the input at any byte', async () => {
    const options: Options = { format: 'csv', dedupe: false };
    const { bytes } = await resume('doi\n10.1000/1\n10.1000/2\n', Buffer.alloc(0), options);
    // The run does not check the results.
    const header = bytes.indexOf('\n') + 1;
    const rows = ['10.1000/1,', '10.1000/2,'].map((row) => ({ row, from: bytes.indexOf(`\n${row}`) + 1 }));
    const ofInput = [
      ...Array.from({ length: header }, (_, at) => at),
      ...rows.flatMap(({ row, from }) => Array.from(row, (_, at) => from + at)),
    ];
    for (const at of ofInput) {
      const other = Buffer.from(bytes);
      other[at] = 0x58;
      await expect(resume('doi\n10.1000/1\n10.1000/2\n', other, options)).rejects.toThrow(
        'Give another --output',
      );
    }
  });

  test('refuses an output with rows that are not in the input', async () => {
    const options: Options = { format: 'jsonl', dedupe: false };
    const { bytes } = await resume('doi\n10.1000/1\n10.1000/2\n', Buffer.alloc(0), options);
    await expect(resume('doi\n10.1000/1\n', bytes, options)).rejects.toThrow('Give another --output');
  });
});

describe('stored results', () => {
  test('are the latest results, and are undefined before the first result', () => {
    const kept = createAnswerStore(null);
    onTestFinished(() => kept.close());
    const [one, same, other] = ['10.1000/A', 'doi:10.1000/a', '10.1000/b'].map((name) =>
      kept.nameKeyOf(name),
    );
    if (!one || !same || !other) throw new Error('they are names');
    expect(kept.nameKeyOf('nothing')).toBeNull();
    expect([kept.addIfNew(one), kept.addIfNew(same), kept.addIfNew(other)]).toEqual([true, false, true]);
    expect(kept.get(one)).toBeUndefined();
    const answers = [
      { values: ['é😀'.repeat(9_000), null, ['x'], true, 7], error: null },
      { values: [], error: 'UPSTREAM_TIMEOUT' },
    ];
    kept.keep(one, answers[0] as never);
    kept.keep(other, answers[1] as never);
    expect([kept.get(same), kept.get(other)]).toEqual(answers);
  });
});
