// Prints the results, and writes a part of docs/conformance.md.

import { printTable } from '../../../bench/table.ts';
import type { Library } from '../libraries/libraries.ts';
import { type Count, count, type Played } from './score.ts';
import { GROUPS, TASKS, type Task } from './vectors.ts';

export interface Measured {
  readonly library: Library;
  readonly version: string;
  readonly played: readonly Played[];
}

/** One row for each task that the program supports, then each wrong case. */
export function printProgram(title: string, played: readonly Played[]): void {
  const rows = TASKS.filter((task) => count(played, task).of > 0).map((task) => [
    task,
    ...GROUPS.map((group) => shown(count(played, task, [group]))),
    played.filter((each) => each.task === task && each.outcome === 'unsupported').length,
  ]);
  printTable(title, ['task', ...GROUPS, 'unsupported'], rows);
  const wrong = played.filter(({ outcome }) => outcome === 'wrong');
  const notPlayed = wrong.filter(({ got }) => typeof got === 'string' && got.startsWith('Not played'));
  if (notPlayed[0]) console.log(`\n${notPlayed.length} cases: ${notPlayed[0].got}`);
  for (const { case: testCase, got } of wrong.filter((each) => !notPlayed.includes(each))) {
    const { id, group, source, input, expected } = testCase;
    console.log(`\n${id} (${group}; ${source})`);
    for (const [label, value] of Object.entries({ input, expected, got }))
      console.log(`  ${label}: ${excerpt(value)}`);
  }
}

const MAX_EXCERPT = 300;

function excerpt(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text;
}

/** Only this project has warnings, so they are no column. */
const COLUMNS: readonly Task[] = ['parse', 'encode', 'equivalence', 'find'];

export function scoreTable(all: readonly Measured[]): string {
  const head = ['library', ...COLUMNS, 'worst fault'];
  const rows = all.map(({ library, version, played }) => [
    library.origin === 'here' ? `**${library.name}**` : `${library.name} ${version}`,
    ...COLUMNS.map((task) => cell(played, task)),
    library.worstFault?.words ?? '–',
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `|${cells.join('|')}|`).join('\n');
}

/** Required by a standard, and the other two groups. */
function cell(played: readonly Played[], task: Task): string {
  if (count(played, task).of === 0) return '–';
  const [required, ...others] = GROUPS;
  return `${shown(count(played, task, [required]))}, ${shown(count(played, task, others))}`;
}

function shown({ right, of }: Count): string {
  return of === 0 ? '–' : `${right}/${of}`;
}

/** The names of libraries whose example of a fault is right. */
export function wrongExamples(all: readonly Measured[]): readonly string[] {
  return all.flatMap(({ library: { name, worstFault }, played }) => {
    if (worstFault === null) return [];
    const example = played.find((each) => each.case.id === worstFault.shownBy);
    return example?.outcome === 'wrong' ? [] : [`${name} (${worstFault.shownBy})`];
  });
}

const BEGIN = '<!-- Written by `npm run conformance -- --write`. -->';
const END = '<!-- End of what is written. -->';

export function withTable(page: string, table: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin)
    throw new Error('docs/conformance.md lacks its two comments for the table.');
  return `${page.slice(0, begin)}${BEGIN}\n\n${table}\n\n${page.slice(end)}`;
}
