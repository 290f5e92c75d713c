// What a job does with its rows: the same as `doi bulk`.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from '../ask/ask.ts';
import { answerRows } from '../bulk/answer-rows.ts';
import type { Answer } from '../bulk/answered-names.ts';
import { createRowWriter } from '../bulk/create-row-writer.ts';
import { type Field, readFields } from '../bulk/fields.ts';
import type { OutputFormat } from '../bulk/formats.ts';
import { objectOf } from '../bulk/json-object.ts';
import { ROW_PROBLEMS, type Row, type RowProblemCode } from '../bulk/row.ts';
import type { RowWriter } from '../bulk/row-writer.ts';
import type { TableShape } from '../bulk/table-shape.ts';
import { ERROR_KINDS, isErrorCode } from '../errors.ts';
import { type ChunkKind, kindOf } from './chunk-kind.ts';
import type { JobKey } from './job-id.ts';
import type { ChunkSummary } from './store/chunk-files.ts';
import type { AnswerChunk } from './work-on-chunk.ts';

export type AskForChunk = (key: JobKey, kind: ChunkKind, signal: AbortSignal) => Ask;

/** Plain data, kept with the job. */
export interface BulkWork {
  readonly shape: TableShape;
  /** their names, divided by commas */
  readonly fields: string;
  readonly format: OutputFormat;
  readonly excel: boolean;
  /** before the name of each new column */
  readonly prefix: string;
  /** a DOIForm, or null: it is recognised */
  readonly form: string | null;
}

/** Throws a FieldsError or a TableError where it cannot be done. */
export function prepareWork(work: BulkWork): {
  readonly fields: readonly Field[];
  readonly writer: RowWriter;
} {
  const fields = readFields(work.fields);
  return { fields, writer: createRowWriter(work.shape, fields, work) };
}

/** A row as a line of JSON: its line, name, cells, text and problem. */
export function keptRow({ start, name, cells, text, problem }: Row): string {
  return JSON.stringify([start.line, name, cells, text, problem?.code ?? null]);
}

function rowOf(kept: string, { shape }: BulkWork): Row {
  const [line, name, cells, text, code] = JSON.parse(kept) as [
    number,
    string | null,
    readonly string[],
    string,
    RowProblemCode | null,
  ];
  const place = { offset: 0, line };
  const problem = code && { code, message: ROW_PROBLEMS[code] };
  const object = problem === null && shape.format === 'jsonl' ? objectOf(text) : null;
  return { start: place, end: place, name, cells, text, object, problem };
}

/** @param askFor the asking for one chunk, to be ended by its signal */
export function createAnswerChunk(askFor: AskForChunk): AnswerChunk<BulkWork> {
  return async ({ work, rows: kept, chunk, jobKey, signal }) => {
    const { fields, writer } = prepareWork(work);
    const rows = kept.map((row) => rowOf(row, work));
    const wait = (ms: number, until: AbortSignal | undefined) =>
      sleep(ms, undefined, until ? { signal: until } : {});
    const form = work.form ?? undefined;
    const answers = (await answerRows(rows, fields, {
      ask: askFor(jobKey, kindOf(chunk), signal),
      form,
      wait,
      signal,
    })) as Answer[];
    const text = (chunk === 0 ? writer.header : '') + writer.text(rows, answers);
    return {
      body: Buffer.from(text),
      summary: summaryOf(rows, answers, fields),
      retryable: answers.filter(({ error }) => isRetryable(error)).length,
    };
  };
}

function summaryOf(rows: readonly Row[], answers: readonly Answer[], fields: readonly Field[]): ChunkSummary {
  const exists = fields.findIndex(({ name }) => name === 'exists');
  const counts = { rows: rows.length, found: 0, absent: 0, invalid: 0, failed: 0 };
  for (const [index, { values, error }] of answers.entries()) {
    if (rows[index]?.problem || error === 'INVALID_DOI') counts.invalid += 1;
    else if (error !== null) counts.failed += 1;
    else if (values[exists] === true) counts.found += 1;
    else if (values[exists] === false) counts.absent += 1;
  }
  return counts;
}

/** Whether the same name may be answered later. */
function isRetryable(error: string | null): boolean {
  if (error === null) return false;
  return isErrorCode(error) ? ERROR_KINDS[error].retryable : error === 'UNREACHABLE';
}
