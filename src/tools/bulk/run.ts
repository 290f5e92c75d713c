// A whole run: chunks of rows are asked for, several at a time, and written in the order of the file.

import { ERROR_KINDS, isErrorCode } from '../../errors.ts';
import { type Asking, answerNames, answerRows } from './answer-names.ts';
import { type Answer, isFailed, UNREACHABLE } from './answered-names.ts';
import type { KeptAnswers, NameKey } from './distinct-names.ts';
import type { Field } from './fields.ts';
import { inOrder } from './in-order.ts';
import type { Row } from './row.ts';
import type { RowWriter } from './row-writer.ts';
import type { RowBatches } from './rows.ts';

// Rows → chunks, each of which is one operation.

/** Rows of one chunk at the most. */
const CHUNK_ROWS = 1_000;
/** Bytes of the file in one chunk at the most, or one row alone. A request body has to hold its names. */
const CHUNK_BYTES = 524_288;

/** In the order of the rows. */
async function* inChunks(rows: RowBatches, most = CHUNK_ROWS): AsyncGenerator<readonly Row[]> {
  let chunk: Row[] = [];
  for await (const batch of rows) {
    for (const row of batch) {
      const begin = chunk[0]?.start.offset ?? row.start.offset;
      if (chunk.length === most || row.end.offset - begin > CHUNK_BYTES) {
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
  readonly asking: Omit<Asking, 'signal' | 'stop'>;
  /** no more rows are begun; what was answered in order is written, and the run ends */
  readonly stop: AbortSignal;
  /** after `stop`: the answers that are still missing are not waited for */
  readonly leave?: AbortSignal | undefined;
  /** where each distinct name is asked for once; null: names are asked for as they come */
  readonly kept: KeptAnswers | null;
  /** The answer that a row has already, from an earlier run. */
  readonly knownAnswer?: ((row: Row) => Answer | undefined) | undefined;
  /** Is given whole rows, in order. */
  write(text: string, rows: readonly Row[], answers: readonly Answer[]): Promise<void>;
}

/** One waits for the directory while the other is read or written. More of them would hold more memory, and be no faster. */
const CHUNKS_IN_FLIGHT = 2;

type AnswerChunk = (rows: readonly Row[], asking: Asking) => Promise<() => readonly (Answer | undefined)[]>;

interface AnsweredRows {
  readonly rows: readonly Row[];
  readonly answers: readonly Answer[];
}

/** Rejects with an AskError where there is no gateway, and with what `write` rejects with. */
export function runBulk(run: Run): Promise<'ended' | 'silent'> {
  const begun = new Set<AbortController>();
  const leave = (): void => {
    for (const controller of begun) controller.abort();
  };
  run.leave?.addEventListener('abort', leave);
  return writeAll(run, begun).finally(() => {
    run.leave?.removeEventListener('abort', leave);
    leave();
  });
}

/** Resolves with `silent` when two chunks in a row had no response: neither of them is written. */
async function writeAll(run: Run, begun: Set<AbortController>): Promise<'ended' | 'silent'> {
  const { writer, kept, fields, stop, knownAnswer = () => undefined } = run;
  const answer = kept === null ? answerAll(fields) : answerOnce(fields, kept);
  const work = async (chunk: readonly Row[]) => {
    const rows = chunk.map(writer.checked);
    // One for each chunk: its listeners go with it.
    const controller = new AbortController();
    begun.add(controller);
    try {
      const asked = rows.filter((row) => knownAnswer(row) === undefined);
      const answers = await answer(asked, { ...run.asking, signal: controller.signal, stop });
      return { rows, asked, answers };
    } catch (error) {
      if (run.leave?.aborted) return { rows, asked: rows, answers: () => [] };
      throw error;
    } finally {
      begun.delete(controller);
    }
  };
  const write = ({ rows, answers }: AnsweredRows) =>
    rows.length === 0 ? undefined : run.write(writer.text(rows, answers), rows, answers);
  let silent: AnsweredRows | null = null;
  for await (const { rows, asked, answers } of inOrder(inChunks(run.rows), CHUNKS_IN_FLIGHT, work, stop)) {
    const found = answers();
    const answerOf = new Map(asked.map((row, index) => [row, found[index]]));
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

/** Whether names were looked up, and nothing came back for any of them. */
function isSilent(answers: readonly (Answer | undefined)[]): boolean {
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

/** What is computed from a name is asked for as it is spelled; the directory is asked for each name once. */
function answerOnce(fields: readonly Field[], kept: KeptAnswers): AnswerChunk {
  const computed = fields.filter(({ asksDirectory }) => !asksDirectory);
  const lookedUp = fields.filter(({ asksDirectory }) => asksDirectory);
  return async (rows, asking) => {
    const keys = rows.map(({ name }) => (name === null ? null : kept.keyOf(name)));
    const isNew = keys.map((key) => key !== null && kept.isNew(key));
    const names = rows.flatMap(({ name }, index) => (isNew[index] && name !== null ? [name] : []));
    const [ofRows, ofNames] = await Promise.all([
      answerRows(rows, computed, asking),
      names.length === 0 ? [] : answerNames(names, lookedUp, asking),
    ]);
    // In the order of the file, so that an earlier chunk has kept what a later one asks for.
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

  function merged(ofRow: Answer | undefined, key: NameKey | null): Answer | undefined {
    const ofName = key === null ? { values: [], error: null } : kept.get(key);
    if (!ofRow || !ofName) return undefined;
    const values = fields.map(
      (field) =>
        (field.asksDirectory
          ? ofName.values[lookedUp.indexOf(field)]
          : ofRow.values[computed.indexOf(field)]) ?? null,
    );
    return { values, error: ofRow.error ?? ofName.error };
  }
}

/** Keeps what a row of an earlier output says of its name, where that is the first of it. */
export function keepAgain(kept: KeptAnswers, fields: readonly Field[], row: Row, answer: Answer): void {
  const key = row.name === null ? null : kept.keyOf(row.name);
  if (key === null || !kept.isNew(key)) return;
  const values = answer.values.filter((_, index) => fields[index]?.asksDirectory);
  kept.keep(key, { values, error: answer.error });
}

/** Up to the first that is missing. */
function answeredFirst(answers: readonly (Answer | undefined)[]): readonly Answer[] {
  const missing = answers.indexOf(undefined);
  return answers.slice(0, missing === -1 ? undefined : missing) as readonly Answer[];
}
