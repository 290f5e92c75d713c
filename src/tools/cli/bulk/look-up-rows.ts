// Looks up the rows of one call of `doi bulk`, and writes their answers. After Ctrl-C, running operations have FINISH_MS to
// end. A second Ctrl-C ends the process at once.

import { stat } from 'node:fs/promises';
import type { Table } from '../../bulk/input-table.ts';
import type { RowAnswer } from '../../bulk/read-outcome.ts';
import { type Resumed, resumeRun } from '../../bulk/resume.ts';
import type { Row } from '../../bulk/row.ts';
import { type Run, runBulk, storeEarlierAnswer } from '../../bulk/run.ts';
import { TableError } from '../../bulk/table-shape.ts';
import { NoGatewayError, type SendOperation } from '../../gateway-client/send-operation.ts';
import { type CommandCall, LOOK_UP_FAILED } from '../command.ts';
import { OutputClosedError, shellCommand } from '../output.ts';
import { type Input, STANDARD_INPUT } from '../read-input.ts';
import type { ChangesSince } from './changes-since.ts';
import type { OutputFile } from './output-file.ts';
import { createCounter, createProgress } from './progress.ts';

const FINISH_MS = 1_500;

/** Lets running operations end after Ctrl-C. */
function createGracePeriod({ signal, stderr }: BulkCall, send: SendOperation) {
  const hardStop = new AbortController();
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    if (running === 0) return;
    timer = setTimeout(() => hardStop.abort(), FINISH_MS);
    if (signal.reason instanceof OutputClosedError) return;
    stderr.write('Finishing; press Ctrl-C again to stop now.\n').catch(() => undefined);
  };
  signal.addEventListener('abort', begin, { once: true });
  const countedSend: SendOperation = async (...operation) => {
    running += 1;
    try {
      return await send(...operation);
    } finally {
      running -= 1;
    }
  };
  return {
    send: countedSend,
    /** aborted FINISH_MS after Ctrl-C */
    hardStop: hardStop.signal,
    close(): void {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}

type BulkCall = Pick<CommandCall, 'operands' | 'options' | 'stdout' | 'stderr' | 'signal' | 'now'>;

interface Parts
  extends Pick<Run, 'fields' | 'hasReferences' | 'writer' | 'gateway' | 'answerStore' | 'split'> {
  readonly input: Input;
  readonly table: Table;
  /** null for standard output */
  readonly file: OutputFile | null;
  /** for --since; else null */
  readonly since: ChangesSince | null;
}

/** Resolves with the exit code. Rejects with the signal's reason after the answers are written. */
export async function lookUpRows(
  call: BulkCall,
  { input, table, file, since, ...parts }: Parts,
): Promise<number> {
  const { stdout, stderr, signal } = call;
  const { writer, fields, answerStore } = parts;
  const counter = createCounter(fields, since === null);
  const progress = createProgress(stderr, await sizeOf(input), call.now);
  const count = (row: Row, answer: RowAnswer): void => {
    counter.count(row, answer);
    progress.at(counter.rows, row.end.offset);
  };
  let resumed: Resumed | null = null;
  if (file === null) await stdout.write(writer.header);
  else {
    let offset = 0;
    const onKept = (row: Row, answer: RowAnswer, isInPlace: boolean): void => {
      if (answerStore !== null) storeEarlierAnswer(answerStore, fields, row, answer);
      if (!isInPlace) return;
      count(row, answer);
      offset = row.end.offset;
    };
    resumed = await resumeRun(file.bytes(), table.rows, writer, onKept, parts.split);
    await (resumed.isRewritten ? file.rewrite(resumed.bytes) : file.cut(resumed.bytes));
    if (resumed.bytes === 0) await file.write(writer.header);
    progress.begin(counter.rows, offset);
  }
  const grace = createGracePeriod(call, parts.gateway.send);
  let isSilent = false;
  let isComplete = false;
  /** the offset in the old output up to which new rows replace old rows */
  let end = resumed?.bytes ?? 0;
  try {
    const run = runBulk({
      ...parts,
      writer: since?.writer ?? writer,
      gateway: { ...parts.gateway, send: grace.send },
      rows: resumed?.rows ?? table.rows,
      knownAnswer: resumed?.keptAnswer,
      stop: signal,
      hardStop: grace.hardStop,
      async write(text, written, answers) {
        if (text !== '') await (file ?? stdout).write(text);
        for (const [index, row] of written.entries()) count(row, answers[index] as RowAnswer);
        end = resumed?.endOf(written.at(-1) as Row) ?? Number.POSITIVE_INFINITY;
        resumed?.markWritten(written);
      },
    });
    isSilent = (await run) === 'silent';
    if (isSilent && resumed) for await (const { row, answer } of resumed.unwritten()) count(row, answer);
    isComplete = !isSilent && !signal.aborted;
    if (isComplete && since) for (const text of since.gone()) await (file ?? stdout).write(text);
  } catch (error) {
    // After a TableError, the file stays unchanged, because it belongs to another input.
    if (!(error instanceof TableError)) await file?.finish(end);
    if (error instanceof NoGatewayError) await stderr.write(howToContinue(call));
    throw error;
  } finally {
    grace.close();
    await progress.end();
    await stderr.write(counter.summary() + (since?.summary(isComplete) ?? ''));
  }
  await file?.finish(end);
  if (isSilent)
    await stderr.write(`Stopped: two consecutive batches got no response. ${howToContinue(call)}`);
  else if (signal.aborted && file !== null) await stderr.write(howToContinue(call));
  signal.throwIfAborted();
  return isSilent ? LOOK_UP_FAILED : counter.exitCode();
}

/** Resolves with null if the size is unknown, as for a pipe. */
async function sizeOf({ name }: Input): Promise<number | null> {
  const stats = name === STANDARD_INPUT ? null : await stat(name).catch(() => null);
  return stats?.isFile() ? stats.size : null;
}

/** Says how the user can continue the run. */
function howToContinue({ operands, options }: BulkCall): string {
  if (options['since'] !== undefined) return 'With --since, start again with another --output.\n';
  if (options['output'] === undefined) return 'With --output FILE, --resume could continue the run.\n';
  const given = Object.entries({ ...options, resume: true }).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    return typeof value === 'string' ? [`--${name}`, value] : [];
  });
  return `To continue, repeat the call with --resume:\n  ${shellCommand('bulk', ...operands, ...given)}\n`;
}
