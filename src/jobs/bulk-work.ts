// The work of a job on its rows. It is the same as the work of `doi bulk`.

import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_KINDS, isErrorCode } from '../errors.ts';
import type { Turns } from '../time.ts';
import { answerRows } from '../tools/bulk/answer-names.ts';
import { type Field, readFields } from '../tools/bulk/fields.ts';
import type { OutputFormat } from '../tools/bulk/formats.ts';
import { objectOf } from '../tools/bulk/json-object.ts';
import { EMPTY, failedAnswer, type RowAnswer, UNREACHABLE } from '../tools/bulk/read-outcome.ts';
import { ROW_PROBLEMS, type Row, type RowProblemCode } from '../tools/bulk/row.ts';
import { createRowWriter, type RowWriter } from '../tools/bulk/row-writer.ts';
import type { TableShape } from '../tools/bulk/table-shape.ts';
import type { SendOperation } from '../tools/gateway-client/send-operation.ts';
import { type ChunkKind, kindOf } from './chunk-kind.ts';
import type { JobKey } from './job-id.ts';
import { createResultSize, type ResultSize } from './result-size.ts';
import type { ChunkSummary } from './store/chunk-files.ts';
import type { AnswerChunk } from './work-on-chunk.ts';

export type GatewayForChunk = (key: JobKey, kind: ChunkKind, signal: AbortSignal) => SendOperation;

/** The parameters of the work, as plain data. They are stored with the job. */
export interface BulkWork {
  readonly shape: TableShape;
  /** the names of the fields, separated by commas */
  readonly fields: string;
  readonly format: OutputFormat;
  readonly excel: boolean;
  /** the beginning of the name of each new column */
  readonly prefix: string;
  /** A DOIForm. Null: the gateway recognises the form of each name. */
  readonly form: string | null;
}

/** Throws a FieldsError or a TableError. */
export function prepareWork(work: BulkWork): {
  readonly fields: readonly Field[];
  readonly writer: RowWriter;
  readonly size: ResultSize;
} {
  const fields = readFields(work.fields);
  const writer = createRowWriter(work.shape, fields, work);
  return { fields, writer, size: createResultSize(work, fields) };
}

/**
 * A row as a line of JSON: its line number, an unused item, cells, text and problem. Earlier versions stored the name
 * in the unused item.
 */
export function keptRow({ start, cells, text, problem }: Row): string {
  return JSON.stringify([start.line, 0, cells, text, problem?.code ?? null]);
}

function rowOf(kept: string, { shape }: BulkWork): Row {
  const [line, , cells, text, code] = JSON.parse(kept) as [
    number,
    unknown,
    readonly string[],
    string,
    RowProblemCode | null,
  ];
  const place = { offset: 0, line };
  const problem = code && { code, message: ROW_PROBLEMS[code] };
  const object = problem === null && shape.format === 'jsonl' ? objectOf(text) : null;
  const name = object ? String(object[shape.nameColumn]) : (cells[Number(shape.nameColumn)] ?? null);
  return { start: place, end: place, name, cells, text, object, problem };
}

/** A chunk may take this much more than its rows, for a few long answers in a small chunk. */
export const SPARE_BYTES = 4_096;

/**
 * @param askFor makes the look-ups of one chunk, until its signal aborts them
 * @param turns slices in which the chunk is read and written
 */
export function createAnswerChunk(askFor: GatewayForChunk, turns: Turns): AnswerChunk<BulkWork> {
  return async ({ work, rows: kept, chunk, jobKey, signal }) => {
    const { fields, writer, size } = prepareWork(work);
    await turns.next(jobKey);
    const rows = kept.map((row) => rowOf(row, work));
    const wait = (ms: number, until: AbortSignal | undefined) =>
      sleep(ms, undefined, until ? { signal: until } : {});
    const form = work.form ?? undefined;
    const ask = askFor(jobKey, kindOf(chunk), signal);
    const found = (await answerRows(rows, fields, { ask, form, wait, signal })) as RowAnswer[];
    await turns.next(jobKey);
    const header = chunk === 0 ? writer.header : '';
    const most = rows.map(({ name }, index) => size.bytesOf(kept[index] as string, name));
    const mostOfAll = most.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(header) + SPARE_BYTES);
    let answers = found;
    let body = Buffer.from(header + writer.text(rows, answers));
    if (body.length > mostOfAll) {
      answers = rows.map((row, index) => {
        const answer = found[index] as RowAnswer;
        const bytes = Buffer.byteLength(writer.text([row], [answer]));
        return bytes <= (most[index] as number) ? answer : failedAnswer('LIMIT_EXCEEDED', fields);
      });
      body = Buffer.from(header + writer.text(rows, answers));
    }
    return {
      body,
      isTooLarge: body.length > mostOfAll,
      summary: summaryOf(rows, answers, fields),
      retryable: answers.filter(({ error }) => isRetryable(error)).length,
    };
  };
}

function summaryOf(
  rows: readonly Row[],
  answers: readonly RowAnswer[],
  fields: readonly Field[],
): ChunkSummary {
  const exists = fields.findIndex(({ name }) => name === 'exists');
  const counts = { rows: rows.length, found: 0, absent: 0, invalid: 0, failed: 0 };
  for (const [index, { values, error }] of answers.entries()) {
    if (rows[index]?.problem || error === 'INVALID_DOI' || error === EMPTY) counts.invalid += 1;
    else if (error !== null) counts.failed += 1;
    else if (values[exists] === true) counts.found += 1;
    else if (values[exists] === false) counts.absent += 1;
  }
  return counts;
}

/** Whether a later look-up of the same name may succeed. */
function isRetryable(error: string | null): boolean {
  if (error === null) return false;
  return isErrorCode(error) ? ERROR_KINDS[error].retryable : error === UNREACHABLE;
}
