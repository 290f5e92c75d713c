// What the figures have to be, and what they are.

import { cellText, printTable } from '../table.ts';
import type { RowResult } from './measure.ts';
import type { ServerName } from './servers.ts';
import type { Start } from './start.ts';

export interface Figures {
  readonly rows: ReadonlyMap<string, RowResult>;
  readonly exponent?: number;
  readonly start?: Start;
}

interface Goal {
  readonly text: string;
  readonly limit: number;
  /** undefined where what it takes was not measured */
  read(figures: Figures): number | undefined;
}

const DOIS = ['1', '20', '1000'] as const;
/** A fit of four points is never exactly 1. */
const LINEAR = 1.05;

const overBare = (row: string, limit: number): Goal => ({
  text: `CPU a request over bare, ${row}`,
  limit,
  read: ({ rows }) => rows.get(row)?.get('ours')?.ratio ?? undefined,
});

function over(row: string, key: 'cpuUs' | 'p99Ms', a: ServerName, b: ServerName): Goal['read'] {
  return ({ rows }) => {
    const result = rows.get(row);
    const [of, to] = [result?.get(a)?.[key], result?.get(b)?.[key]];
    return of === undefined || to === undefined ? undefined : of / to;
  };
}

const GOALS: readonly Goal[] = [
  overBare('1', 1.3),
  overBare('20', 1.1),
  overBare('1000', 0.85),
  ...DOIS.map((row) => ({
    text: `CPU a request over Mercurius + JIT, ${row}`,
    limit: 0.75,
    read: over(row, 'cpuUs', 'ours', 'mercurius'),
  })),
  ...DOIS.map((row) => ({
    text: `CPU a request, live over embedded, ${row}`,
    limit: 1.15,
    read: over(row, 'cpuUs', 'live', 'ours'),
  })),
  overBare('api', 1.3),
  overBare('redirect', 1.3),
  ...DOIS.map((row) => ({
    text: `p99 over Mercurius + JIT, ${row}`,
    limit: 1,
    read: over(row, 'p99Ms', 'ours', 'mercurius'),
  })),
  { text: 'exponent of growth', limit: LINEAR, read: ({ exponent }) => exponent },
  { text: 'start to first answer, ms', limit: 700, read: ({ start }) => start?.firstAnswerMs },
  { text: 'idle RSS, MB', limit: 120, read: ({ start }) => start?.idleRssMb },
];

/** Prints those that were measured; tells the rows of those that were not reached. */
export function printGoals(figures: Figures): void {
  const rows = GOALS.flatMap((goal) => {
    const measured = goal.read(figures);
    if (measured === undefined) return [];
    return [
      [
        goal.text,
        cellText(goal.limit),
        cellText(measured),
        measured <= goal.limit ? 'reached' : 'NOT REACHED',
      ],
    ];
  });
  if (rows.length > 0) printTable('goals', ['goal', 'at most', 'measured', ''], rows);
}
