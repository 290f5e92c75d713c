// Runs one call of `doi bulk`. After Ctrl-C, running operations have 1.5 seconds to end. A second Ctrl-C ends the process
// at once.

import { stat } from 'node:fs/promises';
import { DOI_FORMS } from '../../../doi/recognise.ts';
import { createAnswerStore } from '../../bulk/distinct-names.ts';
import { DEFAULT_FIELDS, readFields } from '../../bulk/fields.ts';
import { openTable, type Table } from '../../bulk/input-table.ts';
import type { RowAnswer } from '../../bulk/read-outcome.ts';
import { type Resumed, resumeRun } from '../../bulk/resume.ts';
import type { Row } from '../../bulk/row.ts';
import { createRowWriter } from '../../bulk/row-writer.ts';
import { type Run, runBulk, storeEarlierAnswer } from '../../bulk/run.ts';
import { createCounter } from '../../bulk/summary.ts';
import { TableError } from '../../bulk/table-shape.ts';
import { NoGatewayError, type SendOperation } from '../../gateway-client/send-operation.ts';
import { UsageError } from '../command.ts';
import { LOOK_UP_FAILED } from '../exit-codes.ts';
import { OutputClosedError } from '../output.ts';
import { type Input, STANDARD_INPUT } from '../read-input.ts';
import { BULK_OPTIONS, type BulkCall } from './bulk-options.ts';
import { formatOut, inputOf, type OutputFile, openOutputFile, tableOptions } from './output-file.ts';
import { createProgress, exitCodeOf, guessWarning, summaryLine } from './progress.ts';

const FINISH_MS = 1_500;

/** Lets running operations end after Ctrl-C. */
interface GracePeriod {
  /** sends an operation, and counts it while it runs */
  readonly send: SendOperation;
  /** aborted FINISH_MS after Ctrl-C */
  readonly hardStop: AbortSignal;
  close(): void;
}

function createGracePeriod(
  { signal, stderr }: Pick<BulkCall, 'signal' | 'stderr'>,
  send: SendOperation,
): GracePeriod {
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
  return {
    async send(...operation) {
      running += 1;
      try {
        return await send(...operation);
      } finally {
        running -= 1;
      }
    },
    hardStop: hardStop.signal,
    close() {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}

/** Resolves with the exit code. Rejects with the signal's reason after the answers are written. */
export async function lookUpAll(call: BulkCall): Promise<number> {
  const { options, signal } = call;
  if (options.resume && options.output === undefined) {
    throw new UsageError('--resume continues a file: name the file with --output.');
  }
  const fields = readFields(options.fields ?? DEFAULT_FIELDS);
  const input = inputOf(call);
  const table = await openTable(untilAborted(input.bytes(), signal), tableOptions(call, input));
  const { excel, prefix } = options;
  const writer = createRowWriter(table.shape, fields, {
    format: formatOut(call, table.shape),
    excel,
    prefix,
  });
  const form = DOI_FORMS.find((known) => known === options.form);
  const hasLookUps = fields.some((field) => field.isLookUp);
  const gateway = await call.gateway();
  if (gateway.isSample && hasLookUps) await call.stderr.write(SAMPLE_WARNING);
  // The file is opened after all other checks, so that a wrong call creates no file.
  const file = options.output === undefined ? null : await openOutputFile(options.output, options.resume);
  const answerStore = options.dedupe && hasLookUps ? createAnswerStore(form ?? null) : null;
  try {
    const bulkGateway = { send: gateway.send, form, isSample: gateway.isSample, wait: call.wait };
    return await lookUp(call, { input, fields, table, writer, file, answerStore, gateway: bulkGateway });
  } finally {
    answerStore?.close();
    await file?.close();
  }
}

const SAMPLE_WARNING =
  'The answers come from a sample or an embedded directory. A name that is not in this directory might still exist. To use the live DOI system:  CONTACT=you@example.org doi bulk --live …\n';

interface Parts extends Pick<Run, 'fields' | 'writer' | 'gateway' | 'answerStore'> {
  readonly input: Input;
  readonly table: Table;
  /** null for standard output */
  readonly file: OutputFile | null;
}

async function lookUp(call: BulkCall, { input, table, file, ...parts }: Parts): Promise<number> {
  const { stdout, stderr, signal } = call;
  const { writer, fields, answerStore } = parts;
  const counter = createCounter(fields);
  const progress = createProgress(stderr, await sizeOf(input), call.now);
  let guessed = 0;
  const count = (row: Row, answer: RowAnswer): void => {
    counter.count(answer);
    if (row.isGuessed) guessed += 1;
    progress.at(counter.rows, row.end.offset);
  };
  let resumed: Resumed | null = null;
  if (file === null) await stdout.write(writer.header);
  else {
    let offset = 0;
    resumed = await resumeRun(file.bytes(), table.rows, writer, (row, answer, isInPlace) => {
      if (answerStore !== null) storeEarlierAnswer(answerStore, fields, row, answer);
      if (!isInPlace) return;
      count(row, answer);
      offset = row.end.offset;
    });
    await (resumed.isRewritten ? file.rewrite(resumed.bytes) : file.cut(resumed.bytes));
    if (resumed.bytes === 0) await file.write(writer.header);
    progress.begin(counter.rows, offset);
  }
  const grace = createGracePeriod(call, parts.gateway.send);
  let isSilent = false;
  /** the offset in the old output up to which new rows replace old rows */
  let end = resumed?.bytes ?? 0;
  try {
    const run = runBulk({
      ...parts,
      gateway: { ...parts.gateway, send: grace.send },
      rows: resumed?.rows ?? table.rows,
      knownAnswer: resumed?.keptAnswer,
      stop: signal,
      hardStop: grace.hardStop,
      async write(text, written, answers) {
        await (file ?? stdout).write(text);
        for (const [index, row] of written.entries()) count(row, answers[index] as RowAnswer);
        end = resumed?.endOf(written.at(-1) as Row) ?? Number.POSITIVE_INFINITY;
      },
    });
    isSilent = (await run) === 'silent';
  } catch (error) {
    // After a TableError, the file stays unchanged, because it belongs to another input.
    if (!(error instanceof TableError)) await file?.finish(end);
    if (error instanceof NoGatewayError) await stderr.write(howToContinue(call));
    throw error;
  } finally {
    grace.close();
    await progress.end();
    await stderr.write(summaryLine(counter.summary()) + guessWarning(guessed));
  }
  await file?.finish(end);
  if (isSilent)
    await stderr.write(`Stopped: two consecutive batches got no response. ${howToContinue(call)}`);
  else if (signal.aborted && file !== null) await stderr.write(howToContinue(call));
  signal.throwIfAborted();
  return isSilent ? LOOK_UP_FAILED : exitCodeOf(counter.summary());
}

/** Resolves with null if the size is unknown, as for a pipe. */
async function sizeOf({ name }: Input): Promise<number | null> {
  const stats = name === STANDARD_INPUT ? null : await stat(name).catch(() => null);
  return stats?.isFile() ? stats.size : null;
}

/** Yields the items of the source. Throws the signal's reason when the signal is aborted, even while the source waits. */
async function* untilAborted<Item>(source: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAbort(items.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Without `await`, because a source that waits for keyboard input ends only with the next input.
    items.return?.().catch(() => undefined);
  }
}

async function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Says how the user can continue the run. */
function howToContinue({ operands, options }: Pick<BulkCall, 'operands' | 'options'>): string {
  if (options.output === undefined) return 'With --output FILE, --resume could continue the run.\n';
  const words = ['doi', 'bulk', ...operands.map(quotedForShell)];
  for (const name of Object.keys(BULK_OPTIONS) as (keyof typeof BULK_OPTIONS)[]) {
    const value = name === 'resume' ? true : options[name];
    if (value === true) words.push(`--${name}`);
    else if (typeof value === 'string') words.push(`--${name}`, quotedForShell(value));
  }
  return `To continue, repeat the call with --resume:\n  ${words.join(' ')}\n`;
}

function quotedForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
