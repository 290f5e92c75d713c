// A run of `doi bulk` or a job: looks up chunks of rows, two at the same time, and writes them in the order of the file.

import { ERROR_KINDS, isErrorCode } from '../../errors.ts';
import { answerNames, answerRows, type BulkGateway } from './answer-names.ts';
import type { AnswerStore, NameKey } from './distinct-names.ts';
import type { Field } from './fields.ts';
import { inOrder } from './in-order.ts';
import { isFailed, type RowAnswer, UNREACHABLE } from './read-outcome.ts';
import type { Row } from './row.ts';
import type { RowWriter } from './row-writer.ts';
import type { RowBatches } from './rows.ts';

const MAX_CHUNK_ROWS = 1_000;
/** Only a chunk of a single row may be larger. The names of a chunk must fit into one request body. */
const MAX_CHUNK_BYTES = 524_288;

async function* inChunks(rows: RowBatches): AsyncGenerator<readonly Row[]> {
  let chunk: Row[] = [];
  for await (const batch of rows) {
    for (const row of batch) {
      const begin = chunk[0]?.start.offset ?? row.start.offset;
      if (chunk.length === MAX_CHUNK_ROWS || row.end.offset - begin > MAX_CHUNK_BYTES) {
        if (chunk.length > 0) yield chunk;
        chunk = [];
      }
      chunk.push(row);
    }
  }
  if (chunk.length > 0) yield chunk;
}

export interface Run {
  readonly rows: RowBatches;
  readonly fields: readonly Field[];
  readonly writer: RowWriter;
  readonly asking: Omit<BulkGateway, 'signal' | 'stop'>;
  /** ends the run: no more rows are started, and the finished ones are written in order */
  readonly stop: AbortSignal;
  /** aborted some time after `stop`: then the run does not wait for missing answers */
  readonly leave?: AbortSignal | undefined;
  /** stores the answer of each distinct name, so that a name is looked up once. Null: one look-up for each row. */
  readonly kept: AnswerStore | null;
  /** Returns the answer of a row from an earlier run. */
  readonly knownAnswer?: ((row: Row) => RowAnswer | undefined) | undefined;
  /** Gets complete rows, in order. */
  write(text: string, rows: readonly Row[], answers: readonly RowAnswer[]): Promise<void>;
}

/** One chunk waits for the directory while the other is read or written. More chunks would need memory, but not be faster. */
const CHUNKS_IN_FLIGHT = 2;

type AnswerChunk = (
  rows: readonly Row[],
  asking: BulkGateway,
) => Promise<() => readonly (RowAnswer | undefined)[]>;

interface AnsweredRows {
  readonly rows: readonly Row[];
  readonly answers: readonly RowAnswer[];
}

/**
 * Resolves with `silent` if two chunks in a row got no response; these chunks are not written. Rejects with a
 * NoGatewayError if there is no gateway, or if `write` rejects.
 */
export function runBulk(run: Run): Promise<'ended' | 'silent'> {
  const running = new Set<AbortController>();
  const leave = (): void => {
    for (const controller of running) controller.abort();
  };
  run.leave?.addEventListener('abort', leave);
  return writeAll(run, running).finally(() => {
    run.leave?.removeEventListener('abort', leave);
    leave();
  });
}

async function writeAll(run: Run, running: Set<AbortController>): Promise<'ended' | 'silent'> {
  const { writer, kept, fields, stop, knownAnswer = () => undefined } = run;
  const answer = kept === null ? answerAll(fields) : answerOnce(fields, kept);
  const work = async (chunk: readonly Row[]) => {
    const rows = chunk.map(writer.checked);
    // One controller for each chunk, so that its listeners end with it.
    const controller = new AbortController();
    running.add(controller);
    try {
      const unknown = rows.filter((row) => knownAnswer(row) === undefined);
      const answers = await answer(unknown, { ...run.asking, signal: controller.signal, stop });
      return { rows, unknown, answers };
    } catch (error) {
      if (run.leave?.aborted) return { rows, unknown: rows, answers: () => [] };
      throw error;
    } finally {
      running.delete(controller);
    }
  };
  const write = ({ rows, answers }: AnsweredRows) =>
    rows.length === 0 ? undefined : run.write(writer.text(rows, answers), rows, answers);
  let silent: AnsweredRows | null = null;
  for await (const { rows, unknown, answers } of inOrder(inChunks(run.rows), CHUNKS_IN_FLIGHT, work, stop)) {
    const found = answers();
    const answerOf = new Map(unknown.map((row, index) => [row, found[index]]));
    const known = answeredFirst(rows.map((row) => knownAnswer(row) ?? answerOf.get(row)));
    const chunk = { rows: rows.slice(0, known.length), answers: known };
    if (known.length === rows.length && isSilent(found)) {
      if (silent !== null) return 'silent';
      silent = chunk;
      continue;
    }
    if (silent !== null) await write(silent);
    silent = null;
    await write(chunk);
    if (known.length < rows.length) return 'ended';
  }
  if (silent !== null) await write(silent);
  return 'ended';
}

/** Whether names were looked up, and no name got a response. */
function isSilent(answers: readonly (RowAnswer | undefined)[]): boolean {
  const lookedUp = answers.filter((answer) => answer && (answer.error === null || isFailed(answer)));
  return lookedUp.length > 0 && lookedUp.every((answer) => isNoResponse(answer?.error ?? null));
}

function isNoResponse(error: string | null): boolean {
  if (error === null) return false;
  return isErrorCode(error) ? ERROR_KINDS[error].retryable : error === UNREACHABLE;
}

function answerAll(fields: readonly Field[]): AnswerChunk {
  return async (rows, asking) => {
    const answers = await answerRows(rows, fields, asking);
    return () => answers;
  };
}

/** Computes fields for each spelling, and looks up each distinct name once. */
function answerOnce(fields: readonly Field[], kept: AnswerStore): AnswerChunk {
  const computed = fields.filter(({ isLookUp }) => !isLookUp);
  const lookedUp = fields.filter(({ isLookUp }) => isLookUp);
  return async (rows, asking) => {
    const keys = rows.map(({ name }) => (name === null ? null : kept.nameKeyOf(name)));
    const isNew = keys.map((key) => key !== null && kept.isNew(key));
    const names = rows.flatMap(({ name }, index) => (isNew[index] && name !== null ? [name] : []));
    const [ofRows, ofNames] = await Promise.all([
      answerRows(rows, computed, asking),
      names.length === 0 ? [] : answerNames(names, lookedUp, asking),
    ]);
    // The caller calls this in the order of the file. So an earlier chunk has stored the answers that a later chunk needs.
    return () => {
      let next = 0;
      for (const [index, key] of keys.entries()) {
        if (!isNew[index]) continue;
        const answer = ofNames[next];
        next += 1;
        if (answer && key) kept.keep(key, answer);
      }
      return ofRows.map((answer, index) => merged(answer, keys[index] ?? null));
    };
  };

  function merged(ofRow: RowAnswer | undefined, key: NameKey | null): RowAnswer | undefined {
    const ofName = key === null ? { values: [], error: null } : kept.get(key);
    if (!ofRow || !ofName) return undefined;
    const values = fields.map(
      (field) =>
        (field.isLookUp ? ofName.values[lookedUp.indexOf(field)] : ofRow.values[computed.indexOf(field)]) ??
        null,
    );
    return { values, error: ofRow.error ?? ofName.error };
  }
}

/** Stores the answer of a row of an earlier output, if it is the first row with its name. */
export function storeEarlierAnswer(
  kept: AnswerStore,
  fields: readonly Field[],
  row: Row,
  answer: RowAnswer,
): void {
  const key = row.name === null ? null : kept.nameKeyOf(row.name);
  if (key === null || !kept.isNew(key)) return;
  const values = answer.values.filter((_, index) => fields[index]?.isLookUp);
  kept.keep(key, { values, error: answer.error });
}

/** The answers before the first missing answer. */
function answeredFirst(answers: readonly (RowAnswer | undefined)[]): readonly RowAnswer[] {
  const missing = answers.indexOf(undefined);
  return answers.slice(0, missing === -1 ? undefined : missing) as readonly RowAnswer[];
}
