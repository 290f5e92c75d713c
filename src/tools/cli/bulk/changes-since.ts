// `doi bulk --since`: writes only the rows that differ from an earlier result, and counts them.

import {
  CHANGE_COLUMNS,
  CHANGES,
  type Change,
  type EarlierResult,
  readEarlierResult,
} from '../../bulk/earlier-result.ts';
import type { Field } from '../../bulk/fields.ts';
import type { RowAnswer } from '../../bulk/read-outcome.ts';
import type { Row } from '../../bulk/row.ts';
import type { RowWriter } from '../../bulk/row-writer.ts';
import type { TableShape } from '../../bulk/table-shape.ts';
import { type CommandCall, UsageError } from '../command.ts';
import { inputOf, itemsUntilAborted, STANDARD_INPUT, UnreadableInputError } from '../read-input.ts';

const BATCH_ROWS = 1_000;

/** Fields that no gateway has. Their values come from the comparison. */
export const CHANGE_FIELDS: readonly Field[] = CHANGE_COLUMNS.map((name) => ({
  name,
  meaning: '',
  isLookUp: false,
  selection: {},
  read: () => null,
}));

export type ChangesSince = ReturnType<typeof createChangesSince>;

interface Parts {
  /** writes the fields, then CHANGE_FIELDS */
  readonly writer: RowWriter;
  readonly fields: readonly Field[];
  readonly prefix: string | undefined;
  /** the layout of the input */
  readonly shape: TableShape;
}

/** Reads the earlier result. Rejects with a UsageError or a TableError if the file is no result with these fields. */
export async function openChangesSince(
  file: string,
  { stdin, signal }: Pick<CommandCall, 'stdin' | 'signal'>,
  parts: Parts,
) {
  if (file === STANDARD_INPUT) throw new UsageError('--since needs the name of a file, not standard input.');
  const bytes = itemsUntilAborted(inputOf(file, stdin).bytes(), signal);
  const earlier = await readEarlierResult(bytes, { ...parts, file }).catch((error: unknown) => {
    if (!(error instanceof UnreadableInputError)) throw error;
    throw new UsageError(`${file}: the file of --since cannot be used: ${error.message}`, { cause: error });
  });
  return createChangesSince(earlier, parts, file);
}

function createChangesSince(earlier: EarlierResult, { writer, fields, shape }: Parts, file: string) {
  const counts = new Map<Change, number>();
  /** the numbers of changed rows by field */
  const changedFields = new Map<string, number>();
  const countOf = (change: Change) => counts.get(change) ?? 0;
  const noValues = fields.map(() => null);

  function textOf(rows: readonly Row[], answers: readonly RowAnswer[]): string {
    const written: Row[] = [];
    const withChanges: RowAnswer[] = [];
    for (const [index, row] of rows.entries()) {
      const answer = answers[index] as RowAnswer;
      const found = earlier.compare(row, answer);
      if (found === null) continue;
      counts.set(found.change, countOf(found.change) + 1);
      for (const name of found.fields) changedFields.set(name, (changedFields.get(name) ?? 0) + 1);
      written.push(row);
      withChanges.push({ ...answer, values: [...answer.values, found.change, found.fields] });
    }
    return written.length === 0 ? '' : writer.text(written, withChanges);
  }

  function goneText(inputs: readonly string[]): string {
    counts.set('gone', countOf('gone') + inputs.length);
    const answer = { values: [...noValues, 'gone', []], error: null };
    const rows = inputs.map((input) => goneRow(input, shape));
    return writer.text(
      rows,
      rows.map(() => answer),
    );
  }

  return {
    writer: { ...writer, text: textOf },
    /** Yields the texts of the inputs that only the earlier result has. Call this after all rows were written. */
    *gone(): Iterable<string> {
      let batch: string[] = [];
      for (const input of earlier.goneInputs()) {
        batch.push(input);
        if (batch.length < BATCH_ROWS) continue;
        yield goneText(batch);
        batch = [];
      }
      if (batch.length > 0) yield goneText(batch);
    },
    /** Example: `Since old.csv: 14 changed (exists 3, agency 11), 2 new, 1 gone.` */
    summary(isComplete: boolean): string {
      const named = Array.from(changedFields, ([name, count]) => `${name} ${count.toLocaleString('en-US')}`);
      const parts = CHANGES.flatMap((change) => {
        if (change === 'unknown' && countOf(change) === 0) return [];
        if (change === 'gone' && !isComplete) return [];
        const details = change === 'changed' && named.length > 0 ? ` (${named.join(', ')})` : '';
        return [`${countOf(change).toLocaleString('en-US')} ${change}${details}`];
      });
      const notComplete = isComplete ? '' : ' The run did not end, so rows that are gone are not known.';
      return `Since ${file}: ${parts.join(', ')}.${notComplete}\n`;
    },
    close: () => earlier.close(),
  };
}

/** A row that has only its name. */
function goneRow(name: string, { format, columns, nameColumn, start }: TableShape): Row {
  const common = { start, end: start, name, problem: null };
  if (format !== 'jsonl') {
    const cells = columns.map((_, index) => (index === nameColumn ? name : ''));
    return { ...common, cells, text: '', object: null };
  }
  const object = { [String(nameColumn)]: name };
  return { ...common, cells: [], text: JSON.stringify(object), object };
}
