// Rows and their answers as JSON Lines. What was JSON stays as it was written.

import type { Answer } from './answered-names.ts';
import type { FieldValue } from './fields.ts';
import { objectOf } from './json-object.ts';
import { brokenRow, type Row } from './row.ts';
import type { RowWriter } from './row-writer.ts';
import { TableError } from './table-error.ts';
import type { TableShape } from './table-shape.ts';

/** @param added the names of the fields, and of the key for errors */
export function jsonWriter({ columns }: TableShape, added: readonly string[]): RowWriter {
  const seen = new Set<string>();
  const twice = columns.find((column) => seen.size === seen.add(column).size);
  if (twice !== undefined) {
    throw new TableError(
      `The file has several columns ${JSON.stringify(twice)}, and JSON cannot. Write CSV.`,
    );
  }
  const keys = added.map((name) => JSON.stringify(name));
  const columnKeys = columns.map((name) => JSON.stringify(name));

  function beginning(row: Row): string {
    if (row.problem !== null) return `{"text":${JSON.stringify(row.text)},`;
    if (row.object === null) {
      const members = columnKeys.map((key, index) => `${key}:${JSON.stringify(row.cells[index])}`);
      return `{${members.join()},`;
    }
    const opened = row.text.slice(0, row.text.lastIndexOf('}'));
    return Object.keys(row.object).length === 0 ? opened : `${opened},`;
  }

  return {
    header: '',
    checked(row) {
      const { object } = row;
      if (object === null || !added.some((key) => Object.hasOwn(object, key))) return row;
      return brokenRow(row.start, row.end, row.text, 'TAKEN_KEY');
    },
    text: (rows, answers) =>
      rows.map((row, index) => `${beginning(row)}${members(answers[index] as Answer)}}\n`).join(''),
    beginning,
    isWhole: () => true,
    readAnswer(text) {
      const object = objectOf(`{${text}`);
      if (object === null || Object.keys(object).join() !== added.join()) return null;
      const values = Object.values(object) as FieldValue[];
      return { values: values.slice(0, -1), error: values.at(-1) as string | null };
    },
  };

  function members({ values, error }: Answer): string {
    return [...values, error].map((value, index) => `${keys[index]}:${JSON.stringify(value)}`).join();
  }
}
