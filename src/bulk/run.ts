// A whole run: chunks of rows are asked for, several at a time, and written in the order of the file.

import { type Asking, answerNames } from './answer-names.ts';
import { answerRows } from './answer-rows.ts';
import type { Answer } from './answered-names.ts';
import { inChunks } from './chunks.ts';
import type { NameKey } from './distinct-names.ts';
import type { Field } from './fields.ts';
import { inOrder } from './in-order.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { Row } from './row.ts';
import type { RowWriter } from './row-writer.ts';
import type { RowBatches } from './rows.ts';

export interface Run {
  readonly rows: RowBatches;
  readonly fields: readonly Field[];
  readonly writer: RowWriter;
  readonly asking: Omit<Asking, 'signal' | 'stop'>;
  /** nothing more is taken up; what was answered in order is written, and the run is over */
  readonly stop: AbortSignal;
  /** where each distinct name is asked for once; null: names are asked for as they come */
  readonly kept: KeptAnswers | null;
  /** Is given whole rows, in order. */
  write(text: string, rows: readonly Row[], answers: readonly Answer[]): Promise<void>;
}

/** One waits for the directory while the other is read or written. More of them would hold more memory, and be no faster. */
const CHUNKS_IN_FLIGHT = 2;

type AnswerChunk = (rows: readonly Row[], asking: Asking) => Promise<() => readonly (Answer | undefined)[]>;

/** Rejects with an AskError where there is no gateway, and with what `write` rejects with. */
export async function runBulk(run: Run): Promise<void> {
  const { writer, kept, fields } = run;
  // One for each chunk: what listens to a signal is let go of with it.
  const begun = new Set<AbortController>();
  const answer = kept === null ? answerAll(fields) : answerOnce(fields, kept);
  const work = async (chunk: readonly Row[]) => {
    const rows = chunk.map(writer.checked);
    const controller = new AbortController();
    begun.add(controller);
    try {
      const asking = { ...run.asking, signal: controller.signal, stop: run.stop };
      return { rows, answers: await answer(rows, asking) };
    } finally {
      begun.delete(controller);
    }
  };
  try {
    for await (const { rows, answers } of inOrder(inChunks(run.rows), CHUNKS_IN_FLIGHT, work, run.stop)) {
      const known = answeredFirst(answers());
      const written = rows.slice(0, known.length);
      if (known.length > 0) await run.write(writer.text(written, known), written, known);
      if (known.length < rows.length) return;
    }
  } finally {
    for (const controller of begun) controller.abort();
  }
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
