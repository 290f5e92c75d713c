// Finds the row at which an interrupted run of `doi bulk` continues. Compares the rows of the output with the rows of the
// input, one by one, and drops an incomplete last row.

import type { RowBatches } from './input-table.ts';
import { isFailed, type RowAnswer } from './read-outcome.ts';
import type { Row } from './row.ts';
import type { RowWriter } from './row-writer.ts';
import { TableError } from './table-shape.ts';

export interface Resumed {
  /** The number of bytes at the beginning of the output that stay unchanged. If 0, the run must also write the header. */
  readonly bytes: number;
  /** The rows to write: all rows from the first failed row on. If no row failed: the rows that are not in the output. */
  readonly rows: RowBatches;
  /** The answer in the output. Undefined if the row is not in the output, or if the row failed. */
  keptAnswer(row: Row): RowAnswer | undefined;
  /** The end of this row in the output, or of the row that it replaces. Undefined if the output has neither row. */
  endOf(row: Row): number | undefined;
  /** Call this when the run has written rows. `unwritten` does not return these rows. */
  markWritten(rows: readonly Row[]): void;
  /** Reads the rows of the output that the run has not written again. Call this after the run has ended. */
  unwritten(): AsyncIterable<{ readonly row: Row; readonly answer: RowAnswer }>;
  /** whether the output has a failed row. The run then rewrites the file from this row on. */
  readonly isRewritten: boolean;
}

/** A row with the bytes of its part before the answer. */
interface Begun {
  readonly row: Row;
  readonly beginning: Buffer;
}

const MAX_OUTPUT_ROW_BYTES = 16 * 2 ** 20;
const BATCH_ROWS = 1_000;

/**
 * Reads the output up to the first failed row. Rejects with a TableError if the output does not belong to this input and
 * these fields. The iterator of `Resumed.rows` reads the remaining output, and can reject for the same reason.
 *
 * @param output the bytes of the output from the beginning
 * @param onKept receives each row of the output that did not fail. `isInPlace`: the bytes of the row stay unchanged.
 * @param split the rows that can replace a row with several names in the output
 */
export async function resumeRun(
  output: AsyncIterable<Uint8Array>,
  rows: RowBatches,
  writer: RowWriter,
  onKept: (row: Row, answer: RowAnswer, isInPlace: boolean) => void,
  split: (row: Row) => readonly Row[] = () => [],
): Promise<Resumed> {
  const input = new RowCursor(rows, writer);
  const { header } = writer;
  // Without a header, the first row follows the byte order mark.
  const mark = Buffer.from(header.endsWith('\n') ? '' : header);
  const answers = new WeakMap<Row, RowAnswer>();
  const toWrite = new Map<Row, RowAnswer>();
  let rewritten: AsyncGenerator<readonly Row[]> | null = null;
  const ends = new WeakMap<Row, number>();
  const written = outputRows(output, writer, mark);
  let bytes = 0;

  /** Reads the next row of the output. Resolves with null at the end, or if the row is incomplete. */
  async function next(): Promise<{ row: Row; answer: RowAnswer; end: number } | null> {
    const { done, value } = await written.next();
    if (done) return null;
    const { text, isComplete, end } = value;
    const isOutput = ({ beginning }: Begun): boolean => startsAlike(text, beginning);
    const whole = begun(await input.next());
    const read = whole && !isOutput(whole) ? begun(await input.replaceBy(split(whole.row))) : whole;
    if (!read || !isOutput(read)) throw notOfThisInput(bytes);
    const { row, beginning } = read;
    // Only the last row can be incomplete. The run writes this row again.
    if (!isComplete) {
      input.unread();
      return null;
    }
    const answer =
      text.length > beginning.length ? writer.readAnswer(text.subarray(beginning.length).toString()) : null;
    if (answer === null) throw notOfThisInput(bytes);
    return { row, answer, end };
  }

  function begun(row: Row | undefined): Begun | null {
    return row === undefined ? null : { row, beginning: Buffer.from(writer.beginning(row)) };
  }

  async function* fromFailed(first: Row): AsyncGenerator<readonly Row[]> {
    let batch = [first];
    for (let read = await next(); read !== null; read = await next()) {
      const { row, answer, end } = read;
      ends.set(row, end);
      toWrite.set(row, answer);
      if (!isFailed(answer)) {
        answers.set(row, answer);
        onKept(row, answer, false);
      }
      batch.push(row);
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    yield batch;
    yield* input.remaining();
  }

  const first = header.endsWith('\n') ? await written.next() : null;
  if (first !== null && !first.done) {
    const { text, isComplete, end } = first.value;
    const expected = Buffer.from(header);
    if (isComplete ? !text.equals(expected) : !startsAlike(text, expected))
      throw new TableError('The output has other columns than this run would write. Give another --output.');
    if (isComplete) bytes = end;
  }
  async function* unwritten() {
    // The generator of `rows` reads from the same output, so it must end first.
    await rewritten?.return(undefined);
    for (const [row, answer] of toWrite) yield { row, answer };
    if (rewritten === null) return;
    for (let read = await next(); read !== null; read = await next()) yield read;
  }

  const readers = {
    unwritten,
    markWritten(rows: readonly Row[]): void {
      for (const row of rows) {
        toWrite.delete(row);
        if (row.whole) toWrite.delete(row.whole);
      }
    },
    keptAnswer: (row: Row) => answers.get(row),
    endOf: (row: Row) => ends.get(row) ?? (row.whole && ends.get(row.whole)),
  };
  for (let read = await next(); read !== null; read = await next()) {
    const { row, answer, end } = read;
    if (isFailed(answer)) {
      ends.set(row, end);
      toWrite.set(row, answer);
      rewritten = fromFailed(row);
      return { ...readers, bytes, rows: rewritten, isRewritten: true };
    }
    onKept(row, answer, true);
    bytes = end;
  }
  return { ...readers, bytes, rows: input.remaining(), isRewritten: false };
}

function notOfThisInput(bytes: number): TableError {
  return new TableError(
    `The output does not belong to this input and these fields, from byte ${bytes} on. Give another --output.`,
  );
}

/** Whether one buffer begins with the other. */
function startsAlike(a: Buffer, b: Buffer): boolean {
  const length = Math.min(a.length, b.length);
  return a.subarray(0, length).equals(b.subarray(0, length));
}

interface OutputRow {
  /** the row; a complete row includes its line end */
  readonly text: Buffer;
  readonly isComplete: boolean;
  /** the offset of the row's end in the output */
  readonly end: number;
}

/** @param mark the bytes before the first row */
async function* outputRows(
  output: AsyncIterable<Uint8Array>,
  writer: RowWriter,
  mark: Buffer,
): AsyncGenerator<OutputRow> {
  let pending: Buffer = Buffer.alloc(0);
  let before = 0;
  for await (const chunk of output) {
    pending = Buffer.concat([pending, chunk]);
    let from = 0;
    if (before === 0) {
      if (!startsAlike(pending, mark)) throw notOfThisInput(0);
      if (pending.length <= mark.length) continue;
      from = mark.length;
    }
    for (let to = pending.indexOf('\n') + 1; to > 0; to = pending.indexOf('\n', to) + 1) {
      const text = pending.subarray(from, to);
      if (!writer.isComplete(text)) continue;
      yield { text, isComplete: true, end: before + to };
      from = to;
    }
    before += from;
    pending = pending.subarray(from);
    if (pending.length > MAX_OUTPUT_ROW_BYTES) throw notOfThisInput(before);
  }
  const isOnlyMark = before === 0 && mark.length > 0;
  if (pending.length > 0 && !isOnlyMark)
    yield { text: pending, isComplete: false, end: before + pending.length };
}

/** Reads the input row by row. `remaining` then yields the other rows in batches. */
class RowCursor {
  readonly #batches: AsyncIterator<readonly Row[]>;
  readonly #writer: RowWriter;
  #batch: readonly Row[] = [];
  #next = 0;

  constructor(rows: RowBatches, writer: RowWriter) {
    this.#batches = rows[Symbol.asyncIterator]();
    this.#writer = writer;
  }

  async next(): Promise<Row | undefined> {
    while (this.#next === this.#batch.length) {
      const { done, value } = await this.#batches.next();
      if (done) return undefined;
      this.#batch = value;
      this.#next = 0;
    }
    const row = this.#batch[this.#next] as Row;
    this.#next += 1;
    return this.#writer.checked(row);
  }

  /** The next call of `next` returns the last row again. */
  unread(): void {
    this.#next -= 1;
  }

  /** Puts rows in the place of the last row, and returns the first of them. Undefined if there are no rows. */
  async replaceBy(rows: readonly Row[]): Promise<Row | undefined> {
    if (rows.length === 0) return undefined;
    this.#batch = [...rows, ...this.#batch.slice(this.#next)];
    this.#next = 0;
    return this.next();
  }

  async *remaining(): AsyncGenerator<readonly Row[]> {
    yield this.#batch.slice(this.#next);
    for (let next = await this.#batches.next(); !next.done; next = await this.#batches.next())
      yield next.value;
  }
}
