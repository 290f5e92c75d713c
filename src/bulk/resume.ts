// Where a run that was broken off goes on. The output is the state: its rows are held against those that the input
// gives, one by one, and what stands behind the last whole one is cut.

import type { Answer } from './answered-names.ts';
import type { Row } from './row.ts';
import type { RowWriter } from './row-writer.ts';
import type { RowBatches } from './rows.ts';
import { TableError } from './table-error.ts';

export interface Resumed {
  /** of the output that are kept; 0 where it has to be begun anew, with its header */
  readonly bytes: number;
  /** the rows that are not in it */
  readonly rows: RowBatches;
}

/** A row with all its answers is no longer than this. */
const MAX_OUTPUT_ROW_BYTES = 16 * 2 ** 20;

/**
 * Rejects with a TableError where the output is not of this input and these fields: nothing is cut from it.
 *
 * @param output its bytes from the beginning
 * @param onKept is given each row that is in it
 */
export async function resumeRun(
  output: AsyncIterable<Uint8Array>,
  rows: RowBatches,
  writer: RowWriter,
  onKept: (row: Row, answer: Answer) => void,
): Promise<Resumed> {
  const input = new RowCursor(rows, writer);
  const { header } = writer;
  let bytes = 0;
  let isHeaderRead = header === '';
  for await (const { text, isWhole, end } of outputRows(output, writer)) {
    if (!isHeaderRead) {
      if (isWhole ? text.equals(Buffer.from(header)) : startsAlike(text, Buffer.from(header)))
        isHeaderRead = true;
      else
        throw new TableError(
          'The output has other columns than this run would write. Give another --output.',
        );
      if (isWhole) bytes = end;
      continue;
    }
    const row = await input.next();
    const beginning = row && Buffer.from(writer.beginning(row));
    if (!beginning || !startsAlike(text, beginning)) throw notOfThisInput(bytes);
    // What is cut is at the most one row, and one that this run would write.
    if (!isWhole) return { bytes, rows: input.again() };
    const answer =
      text.length > beginning.length ? writer.readAnswer(text.subarray(beginning.length).toString()) : null;
    if (answer === null) throw notOfThisInput(bytes);
    onKept(row, answer);
    bytes = end;
  }
  return { bytes, rows: input.rest() };
}

function notOfThisInput(bytes: number): TableError {
  return new TableError(
    `The output holds something else than this input and these fields give, from byte ${bytes} on. Give another --output.`,
  );
}

/** One of them begins with the other. */
function startsAlike(a: Buffer, b: Buffer): boolean {
  const length = Math.min(a.length, b.length);
  return a.subarray(0, length).equals(b.subarray(0, length));
}

interface OutputRow {
  /** with its line end, where it is whole */
  readonly text: Buffer;
  readonly isWhole: boolean;
  /** bytes of the output up to its end */
  readonly end: number;
}

async function* outputRows(output: AsyncIterable<Uint8Array>, writer: RowWriter): AsyncGenerator<OutputRow> {
  let pending: Buffer = Buffer.alloc(0);
  let before = 0;
  for await (const chunk of output) {
    pending = Buffer.concat([pending, chunk]);
    let from = 0;
    for (let to = pending.indexOf('\n') + 1; to > 0; to = pending.indexOf('\n', to) + 1) {
      const text = pending.subarray(from, to);
      if (!writer.isWhole(text)) continue;
      yield { text, isWhole: true, end: before + to };
      from = to;
    }
    before += from;
    pending = pending.subarray(from);
    if (pending.length > MAX_OUTPUT_ROW_BYTES) throw notOfThisInput(before);
  }
  if (pending.length > 0) yield { text: pending, isWhole: false, end: before + pending.length };
}

/** The rows of the input one by one, and then the rest as they come. */
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

  /** The last row again, and what comes after it. */
  again(): RowBatches {
    this.#next -= 1;
    return this.rest();
  }

  async *rest(): AsyncGenerator<readonly Row[]> {
    yield this.#batch.slice(this.#next);
    for (let next = await this.#batches.next(); !next.done; next = await this.#batches.next())
      yield next.value;
  }
}
