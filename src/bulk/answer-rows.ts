// The answers of a chunk of rows: those that can be read are asked for in one operation.

import { type Asking, answerNames } from './answer-names.ts';
import type { Answer } from './answered-names.ts';
import type { Field, FieldValue } from './fields.ts';
import type { Row } from './row.ts';

/** As answerNames; a row with a problem gets that. In the order of the rows, which the writer has checked. */
export async function answerRows(
  rows: readonly Row[],
  fields: readonly Field[],
  asking: Asking,
): Promise<(Answer | undefined)[]> {
  const names = rows.flatMap(({ name }) => (name === null ? [] : [name]));
  const answers = (names.length === 0 ? [] : await answerNames(names, fields, asking)).values();
  return rows.map((row) => (row.problem === null ? answers.next().value : brokenAnswer(row, fields)));
}

function brokenAnswer({ problem, start }: Row, fields: readonly Field[]): Answer {
  const code = problem?.code ?? 'UNKNOWN';
  const told: Readonly<Record<string, FieldValue>> = {
    problem: code,
    message: `Line ${start.line}: ${problem?.message ?? ''}`,
  };
  return { values: fields.map(({ name }) => told[name] ?? null), error: code };
}
