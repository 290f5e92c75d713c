// Runs `doi bulk`: looks up chunks of rows, two at the same time, and writes the rows in the order of the file.

import { answerNames, answerRows, type BulkGateway } from './answer-names.ts';
import type { AnswerStore, NameKey } from './distinct-names.ts';
import type { Field } from './fields.ts';
import { inOrder } from './in-order.ts';
import type { RowBatches } from './input-table.ts';
import type { RowAnswer } from './read-outcome.ts';
import type { Row } from './row.ts';
import { lookUpsOf } from './row-look-ups.ts';
import type { RowWriter } from './row-writer.ts';
import { nothingAnswers } from './silence.ts';

const MAX_CHUNK_ROWS = 1_000;
/** The agencies allow a few searches each second, so a chunk of references takes about a minute. */
const MAX_CHUNK_REFERENCES = 200;
/** The names of a chunk must fit into one request body. Only a chunk of a single row can be larger. */
const MAX_CHUNK_BYTES = 524_288;

async function* inChunks(rows: RowBatches, maxRows: number): AsyncGenerator<readonly Row[]> {
  let chunk: Row[] = [];
  for await (const batch of rows) {
    for (const row of batch) {
      const begin = chunk[0]?.start.offset ?? row.start.offset;
      if (chunk.length === maxRows || row.end.offset - begin > MAX_CHUNK_BYTES) {
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
  /** whether the rows have references in words instead of names. Then `fields` begins with REFERENCE_FIELDS. */
  readonly hasReferences?: boolean | undefined;
  readonly writer: RowWriter;
  readonly gateway: Omit<BulkGateway, 'signal' | 'stop'>;
  /** After an abort, the run starts no more rows, and writes the finished rows in order. */
  readonly stop: AbortSignal;
  /** The caller aborts this some time after `stop`. Then the run no longer waits for missing answers. */
  readonly hardStop?: AbortSignal | undefined;
  /** stores the answer of each distinct name, so that the run looks up a name once. Null: one look-up for each row. */
  readonly answerStore: AnswerStore | null;
  /** Returns the rows that replace a row with several names. Default: no row is replaced. */
  readonly split?: ((row: Row) => readonly Row[]) | undefined;
  /** Returns the answer of a row from an earlier run. */
  readonly knownAnswer?: ((row: Row) => RowAnswer | undefined) | undefined;
  /** Receives complete rows, in order. */
  write(text: string, rows: readonly Row[], answers: readonly RowAnswer[]): Promise<void>;
}

/** One chunk waits for the directory while the run reads or writes the other. More chunks need memory, and are not faster. */
const CHUNKS_IN_FLIGHT = 2;

/** Looks up a chunk. Resolves with a function that the caller calls in the order of the file. */
type LookUpChunk = (
  rows: readonly Row[],
  gateway: BulkGateway,
) => Promise<() => readonly (RowAnswer | undefined)[]>;

interface AnsweredRows {
  readonly rows: readonly Row[];
  readonly answers: readonly RowAnswer[];
}

/**
 * Resolves with `silent` if nothing answered for two consecutive chunks. The run does not write these chunks. Rejects with a
 * NoGatewayError if there is no gateway. Also rejects if `write` rejects.
 */
export function runBulk(run: Run): Promise<'ended' | 'silent'> {
  const running = new Set<AbortController>();
  const abortAll = (): void => {
    for (const controller of running) controller.abort();
  };
  run.hardStop?.addEventListener('abort', abortAll);
  return writeAll(run, running).finally(() => {
    run.hardStop?.removeEventListener('abort', abortAll);
    abortAll();
  });
}

async function writeAll(run: Run, running: Set<AbortController>): Promise<'ended' | 'silent'> {
  const { writer, answerStore, fields, hasReferences = false, stop, split = null } = run;
  const { knownAnswer = () => undefined } = run;
  const isKnown = (row: Row): boolean => knownAnswer(row) !== undefined;
  const lookUps = lookUpsOf(hasReferences);
  const lookUpEachRow: LookUpChunk = async (rows, gateway) => {
    const answers = await lookUps.answer(rows, fields, gateway);
    return () => answers;
  };
  const lookUp = answerStore === null ? lookUpEachRow : createLookUpEachName(fields, answerStore);
  const answerChunk = async (chunk: readonly Row[]) => {
    const checked = chunk.map(writer.checked);
    // Each chunk has a separate controller, so that listeners on the signal do not outlive the chunk.
    const controller = new AbortController();
    running.add(controller);
    try {
      const gateway = { ...run.gateway, signal: controller.signal, stop };
      const { rows, answers } = await lookUps.sortOut(checked, { fields, gateway, split, isKnown });
      const unknown = rows.filter((row) => !isKnown(row) && !answers.has(row));
      return { rows, answers, unknown, takeAnswers: await lookUp(unknown, gateway) };
    } catch (error) {
      if (run.hardStop?.aborted)
        return { rows: checked, answers: new Map(), unknown: [], takeAnswers: () => [] };
      throw error;
    } finally {
      running.delete(controller);
    }
  };
  const write = ({ rows, answers }: AnsweredRows) =>
    rows.length === 0 ? undefined : run.write(writer.text(rows, answers), rows, answers);
  let silentChunk: AnsweredRows | null = null;
  for await (const { rows, answers, unknown, takeAnswers } of inOrder(
    inChunks(run.rows, hasReferences ? MAX_CHUNK_REFERENCES : MAX_CHUNK_ROWS),
    CHUNKS_IN_FLIGHT,
    answerChunk,
    stop,
  )) {
    const taken = takeAnswers();
    const found = new Map([...answers, ...unknown.map((row, index) => [row, taken[index]] as const)]);
    const known = answersBeforeMissing(
      rows,
      rows.map((row) => knownAnswer(row) ?? found.get(row)),
    );
    const chunk = { rows: rows.slice(0, known.length), answers: known };
    const isWhole = known.length === rows.length;
    if (isWhole && (await nothingAnswers([...found.values()], fields, run.gateway.send))) {
      if (silentChunk !== null) return 'silent';
      // The run writes this chunk later. If the next chunk also gets no response, the run writes neither chunk.
      silentChunk = chunk;
      continue;
    }
    if (silentChunk !== null) await write(silentChunk);
    silentChunk = null;
    await write(chunk);
    if (!isWhole) return 'ended';
  }
  if (silentChunk !== null) await write(silentChunk);
  return 'ended';
}

/** Looks up each distinct name once. Computes the other fields for each row, because rows can spell one name differently. */
function createLookUpEachName(fields: readonly Field[], answerStore: AnswerStore): LookUpChunk {
  const computed = fields.filter(({ isLookUp }) => !isLookUp);
  const lookedUp = fields.filter(({ isLookUp }) => isLookUp);
  return async (rows, gateway) => {
    const keys = rows.map(({ name }) => (name === null ? null : answerStore.nameKeyOf(name)));
    const added = rows.flatMap(({ name }, index) => {
      const key = keys[index] ?? null;
      return name !== null && key !== null && answerStore.addIfNew(key) ? [{ name, key }] : [];
    });
    const names = added.map(({ name }) => name);
    const [ofRows, ofNames] = await Promise.all([
      answerRows(rows, computed, gateway),
      answerNames(names, lookedUp, gateway),
    ]);
    // An earlier chunk can look up a name of this chunk. The caller calls this function in the order of the file, so the
    // earlier chunk has stored its answers by then.
    return () => {
      for (const [index, { key }] of added.entries()) {
        const answer = ofNames[index];
        if (answer) answerStore.keep(key, answer);
      }
      return ofRows.map((answer, index) => merged(answer, keys[index] ?? null));
    };
  };

  function merged(ofRow: RowAnswer | undefined, key: NameKey | null): RowAnswer | undefined {
    const ofName = key === null ? { values: [], error: null } : answerStore.get(key);
    if (!ofRow || !ofName) return undefined;
    const values = fields.map(
      (field) =>
        (field.isLookUp ? ofName.values[lookedUp.indexOf(field)] : ofRow.values[computed.indexOf(field)]) ??
        null,
    );
    return { values, error: ofRow.error ?? ofName.error, at: ofName.at };
  }
}

/** Stores the answer of a row of an earlier output, if the row is the first row with its name. */
export function storeEarlierAnswer(
  answerStore: AnswerStore,
  fields: readonly Field[],
  row: Row,
  answer: RowAnswer,
): void {
  const key = row.name === null ? null : answerStore.nameKeyOf(row.name);
  if (key === null || !answerStore.addIfNew(key)) return;
  const values = answer.values.filter((_, index) => fields[index]?.isLookUp);
  answerStore.keep(key, { values, error: answer.error });
}

/** The answers before the first missing answer. The rows that replace one row stay together. */
function answersBeforeMissing(
  rows: readonly Row[],
  answers: readonly (RowAnswer | undefined)[],
): readonly RowAnswer[] {
  let end = answers.indexOf(undefined);
  if (end === -1) return answers as readonly RowAnswer[];
  const whole = rows[end]?.whole;
  while (whole && end > 0 && rows[end - 1]?.whole === whole) end -= 1;
  return answers.slice(0, end) as readonly RowAnswer[];
}
