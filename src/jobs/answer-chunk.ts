// Looks up and writes the rows of a job, one chunk at a time, with the same code as `doi bulk`.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Field, readFields } from '../tools/bulk/fields.ts';
import { isRetryable, type RowAnswer } from '../tools/bulk/read-outcome.ts';
import { nameInCells, nameInObject } from '../tools/bulk/reference-columns.ts';
import { REFERENCE_FIELDS, readResultFields } from '../tools/bulk/reference-fields.ts';
import { objectOf, ROW_PROBLEMS, type Row, type RowProblemCode } from '../tools/bulk/row.ts';
import { lookUpsOf } from '../tools/bulk/row-look-ups.ts';
import { countsBy, rowOutcome } from '../tools/bulk/row-outcomes.ts';
import { createRowWriter } from '../tools/bulk/row-writer.ts';
import { splitRow } from '../tools/bulk/several-names.ts';
import { nothingAnswers } from '../tools/bulk/silence.ts';
import type { SendOperation } from '../tools/gateway-client/send-operation.ts';
import type { TurnsOfLongTasks } from '../turns.ts';
import type { JobKey } from './job-id.ts';
import { type ChunkKind, kindOf } from './queue/chunk-kinds.ts';
import { createResultSize } from './result-size.ts';
import type { AnswerChunk } from './run-chunk.ts';
import type { ChunkSummary } from './store/chunk-files.ts';
import { hasReferences, type JobTask } from './store/job-store.ts';

export type SendForChunk = (key: JobKey, kind: ChunkKind, signal: AbortSignal) => SendOperation;

/** Throws a FieldsError or a TableError if the client sent a wrong parameter. */
export function prepareTask(task: JobTask) {
  const fields = fieldsOf(task);
  const writer = createRowWriter(task.shape, fields, task);
  const split = task.split ? (row: Row) => splitRow(row, task.shape) : null;
  return { fields, writer, split, size: createResultSize(task, fields) };
}

/**
 * Writes the fields of a result for `JobTask`. A worker of an earlier version does not know the names of REFERENCE_FIELDS.
 * So it fails, and leaves the chunk to other workers.
 */
export function storedFields(fields: readonly Field[]): string {
  return fields.map(({ name }) => name).join();
}

function fieldsOf(task: JobTask): readonly Field[] {
  if (!hasReferences(task)) return readFields(task.fields);
  const ofDoi = task.fields.split(',').slice(REFERENCE_FIELDS.length);
  return readResultFields(ofDoi.length === 0 ? undefined : ofDoi.join(), true);
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
  const name = problem ? null : object ? nameInObject(object, shape) : nameInCells(cells, shape);
  return { start: position, end: position, name, cells, text, object, problem };
}

/** The gateway reserves these bytes for each chunk in addition to its rows. A small chunk can have a few long answers. */
export const SPARE_BYTES = 4_096;

/**
 * @param sendFor returns the function that sends the operations of one chunk
 * @param turns lets other tasks run before the rows are parsed and before the result is written
 * @param pause waits before a retry
 */
export function createAnswerChunk(
  sendFor: SendForChunk,
  turns: TurnsOfLongTasks,
  pause: (ms: number, signal: AbortSignal) => Promise<void> = realPause,
): AnswerChunk {
  return async ({ task, rows: lines, chunk, jobKey, signal }) => {
    const { fields, writer, split, size } = prepareTask(task);
    const lookUps = lookUpsOf(hasReferences(task));
    await turns.next(jobKey);
    const stored = new Map(lines.map((line) => [rowOf(line, task), line]));
    const wait = (ms: number) => pause(ms, signal);
    const form = task.form ?? undefined;
    const send = sendFor(jobKey, kindOf(chunk, hasReferences(task)), signal);
    const gateway = { send, form, wait, signal };
    const { rows, answers: known } = await lookUps.sortOut([...stored.keys()], {
      fields,
      gateway,
      split,
    });
    const open = rows.filter((row) => !known.has(row));
    const lookedUp = await lookUps.answer(open, fields, gateway);
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
        return bytes <= (rowMaxBytes[index] as number) ? answer : lookUps.failed('LIMIT_EXCEEDED', fields);
      });
      body = Buffer.from(header + writer.text(rows, answers));
    }
    return {
      body,
      isTooLarge: body.length > maxBytes,
      summary: summaryOf(answers, rows.length - lines.length, fields),
      retryableRows: answers.filter(isRetryable).length,
      mustWait: hasToWait(found, task) || (await nothingAnswers(found, fields, send, signal)),
    };
  };
}

async function realPause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}

/** Whether the limits of the agencies refuse searches now. A later attempt continues from the cache. */
function hasToWait(answers: readonly RowAnswer[], task: JobTask): boolean {
  return hasReferences(task) && answers.some(({ error }) => error === 'GATEWAY_BUSY');
}

function summaryOf(answers: readonly RowAnswer[], added: number, fields: readonly Field[]): ChunkSummary {
  const counts = { ...countsBy(() => 0) };
  for (const answer of answers) counts[rowOutcome(answer, fields)] += 1;
  return { rows: answers.length, added, ...counts };
}
