// Looks up and writes the rows of a job, one chunk at a time, with the same code as `doi bulk`. Computes the largest size of
// a result.

import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnsOfLongTasks } from '../time.ts';
import { answerRows } from '../tools/bulk/answer-names.ts';
import { type Field, readFields } from '../tools/bulk/fields.ts';
import { failedAnswer, isRetryable, type RowAnswer } from '../tools/bulk/read-outcome.ts';
import { objectOf, ROW_PROBLEMS, type Row, type RowProblemCode } from '../tools/bulk/row.ts';
import { countsBy, rowOutcome } from '../tools/bulk/row-outcomes.ts';
import { createRowWriter } from '../tools/bulk/row-writer.ts';
import { sortOutSeveralNames, splitRow } from '../tools/bulk/several-names.ts';
import { nothingAnswers } from '../tools/bulk/silence.ts';
import type { SendOperation } from '../tools/gateway-client/send-operation.ts';
import type { JobKey } from './job-id.ts';
import { type ChunkKind, kindOf } from './queue/chunk-queue.ts';
import type { AnswerChunk } from './run-chunk.ts';
import type { ChunkSummary } from './store/chunk-files.ts';
import type { JobTask } from './store/job-store.ts';

export type SendForChunk = (key: JobKey, kind: ChunkKind, signal: AbortSignal) => SendOperation;

/** Throws a FieldsError or a TableError if the client sent a wrong parameter. */
export function prepareTask(work: JobTask) {
  const fields = readFields(work.fields);
  const writer = createRowWriter(work.shape, fields, work);
  const split = work.split ? (row: Row) => splitRow(row, work.shape) : null;
  return { fields, writer, split, size: createResultSize(work, fields) };
}

/**
 * Writes a row as a line of JSON: a list of its line number, 0, its cells, its text and the code of its problem. The 0 has no
 * meaning, but files of earlier versions have a number there.
 */
export function storedRow({ start, cells, text, problem }: Row): string {
  return JSON.stringify([start.line, 0, cells, text, problem?.code ?? null]);
}

function rowOf(stored: string, { shape }: JobTask): Row {
  const [line, , cells, text, code] = JSON.parse(stored) as [
    number,
    unknown,
    readonly string[],
    string,
    RowProblemCode | null,
  ];
  const position = { offset: 0, line };
  const problem = code && { code, message: ROW_PROBLEMS[code] };
  const object = problem === null && shape.format === 'jsonl' ? objectOf(text) : null;
  const name = object ? String(object[shape.nameColumn]) : (cells[Number(shape.nameColumn)] ?? null);
  return { start: position, end: position, name, cells, text, object, problem };
}

/** The gateway reserves these bytes for each chunk in addition to its rows. A small chunk can have a few long answers. */
export const SPARE_BYTES = 4_096;

/**
 * @param sendFor returns the function that sends the operations of one chunk
 * @param turns lets other work run before the rows are parsed and before the result is written
 */
export function createAnswerChunk(sendFor: SendForChunk, turns: TurnsOfLongTasks): AnswerChunk {
  return async ({ work, rows: lines, chunk, jobKey, signal }) => {
    const { fields, writer, split, size } = prepareTask(work);
    await turns.next(jobKey);
    const stored = new Map(lines.map((line) => [rowOf(line, work), line]));
    const wait = (ms: number) => sleep(ms, undefined, { signal });
    const form = work.form ?? undefined;
    const send = sendFor(jobKey, kindOf(chunk), signal);
    const gateway = { send, form, wait, signal };
    const { rows, answers: known } = await sortOutSeveralNames([...stored.keys()], {
      fields,
      gateway,
      split,
    });
    const open = rows.filter((row) => !known.has(row));
    const lookedUp = await answerRows(open, fields, gateway);
    const answerOf = new Map([...known, ...open.map((row, index) => [row, lookedUp[index]] as const)]);
    const found = rows.map((row) => answerOf.get(row)) as RowAnswer[];
    await turns.next(jobKey);
    const header = chunk === 0 ? writer.header : '';
    const rowMaxBytes = rows.map((row) => size.bytesOf(stored.get(row) ?? storedRow(row), row.name));
    const maxBytes = rowMaxBytes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(header) + SPARE_BYTES);
    let answers = found;
    let body = Buffer.from(header + writer.text(rows, answers));
    if (body.length > maxBytes) {
      answers = rows.map((row, index) => {
        const answer = found[index] as RowAnswer;
        const bytes = Buffer.byteLength(writer.text([row], [answer]));
        return bytes <= (rowMaxBytes[index] as number) ? answer : failedAnswer('LIMIT_EXCEEDED', fields);
      });
      body = Buffer.from(header + writer.text(rows, answers));
    }
    return {
      body,
      isTooLarge: body.length > maxBytes,
      summary: summaryOf(answers, rows.length - lines.length, fields),
      retryableRows: answers.filter(isRetryable).length,
      isSilent: await nothingAnswers(found, fields, send, signal),
    };
  };
}

function summaryOf(answers: readonly RowAnswer[], added: number, fields: readonly Field[]): ChunkSummary {
  const counts = { ...countsBy(() => 0) };
  for (const answer of answers) counts[rowOutcome(answer, fields)] += 1;
  return { rows: answers.length, added, ...counts };
}

/** The reserved bytes for fields whose values do not contain the name. A longer value uses reserved bytes of other rows. */
const FIXED_BYTES: Readonly<Record<string, number>> = {
  form: 16,
  problem: 32,
  message: 300,
  looksLike: 32,
  warning: 60,
  exists: 8,
  statusCode: 8,
  status: 24,
  agency: 60,
  target: 250,
  tombstone: 80,
  chosenBy: 40,
  via: 150,
  alias: 120,
  title: 300,
  year: 8,
  creators: 600,
  container: 150,
  citation: 1_000,
  kind: 20,
  abstract: 3_000,
  licenses: 200,
  funders: 300,
  issn: 30,
  isbn: 40,
  subjects: 600,
  affiliations: 1_500,
  citationCount: 10,
  referenceCount: 10,
  bibtex: 4_000,
  updates: 300,
};
/** For fields that can have several names: for how many names the gateway reserves bytes. */
const NAMES_IN_FIELD: Readonly<Record<string, number>> = { repaired: 2, meant: 3, suggestion: 3 };
/** The bytes around a name in a field: the beginning of a link, the quotation marks and the delimiter. */
const AROUND_NAME = 28;
/** The bytes of an error code with a service, the delimiter and the line end. */
const ERROR_BYTES = 112;
/** The bytes around a cell. CSV: the delimiter and an apostrophe. JSON: two quotation marks, a colon and a comma. */
const AROUND_CELL = { csv: 2, jsonl: 4 };

/**
 * Computes the largest number of bytes of a row in the result. When a file arrives, the gateway reserves these bytes on
 * disk. Workers write no larger results.
 */
function createResultSize({ shape, format, prefix }: JobTask, fields: readonly Field[]) {
  const isCopied = format === 'jsonl' && shape.format === 'jsonl';
  const columns = isCopied ? [] : shape.columns;
  const cells = columns.length + fields.length + 1;
  const keys = format === 'jsonl' ? [...columns, ...fields.map(({ name }) => prefix + name)] : [];
  const keyBytes = keys.reduce((sum, key) => sum + Buffer.byteLength(JSON.stringify(key)), 0);
  const fieldBytes = fields.reduce((sum, { name }) => sum + (FIXED_BYTES[name] ?? AROUND_NAME), 0);
  const names = fields.reduce(
    (sum, { name }) => sum + (name in FIXED_BYTES ? 0 : (NAMES_IN_FIELD[name] ?? 1)),
    0,
  );
  const fixedRowBytes = keyBytes + cells * AROUND_CELL[format] + fieldBytes + prefix.length + ERROR_BYTES;
  return {
    /** the number of cells in each row */
    cells,
    /** Returns the largest number of bytes of a row. @param stored the row as `storedRow` writes it */
    bytesOf: (stored: string, name: string | null) =>
      fixedRowBytes + Buffer.byteLength(stored) + (name === null ? 0 : names * encodedBytes(name)),
  };
}

/** Returns the number of bytes of a name in a link. No other form of the name is longer. */
function encodedBytes(name: string): number {
  return encodeURIComponent(name.toWellFormed()).length;
}
