// --rows 1,20,api,start   --seconds 2   --rounds 3   --against ../other-checkout

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROWS } from './rows.ts';

export interface Flags {
  readonly rows: ReadonlySet<string>;
  /** of one server's turn */
  readonly seconds: number;
  readonly rounds: number;
  /** another checkout, measured in the same rounds where `ours` is; null: none */
  readonly against: string | null;
}

/** Rows that are measured in a way of their own. */
const OTHER_ROWS = ['growth', 'start'];

export function readFlags(): Flags {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      seconds: { type: 'string', default: '1.5' },
      rounds: { type: 'string', default: '3' },
      against: { type: 'string' },
    },
  });
  const known = [...ROWS.map(({ name }) => name), ...OTHER_ROWS];
  const rows = values.rows === undefined ? known : values.rows.split(',');
  const unknown = rows.filter((row) => !known.includes(row));
  if (unknown.length > 0)
    throw new Error(`no such row: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const against = values.against === undefined ? null : resolve(values.against);
  return { rows: new Set(rows), seconds: positive(values.seconds), rounds: positive(values.rounds), against };
}

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${text} is no number above 0`);
  return number;
}
