// Plays cases with a program, or with a function of this process, and counts.

import { isRight } from './is-right.ts';
import type { Response } from './program.ts';
import { type Case, GROUPS, type Group, readVectors, TASKS, type Task } from './vectors.ts';

export interface Played {
  readonly task: Task;
  readonly case: Case;
  readonly outcome: 'right' | 'wrong' | 'unsupported';
  /** the output, or the fault */
  readonly got: unknown;
}

export interface Count {
  readonly right: number;
  /** without unsupported cases */
  readonly of: number;
}

/** What a program gets for a case: nothing that gives the result away. */
export interface CaseRequest {
  readonly id: string;
  readonly task: Task;
  readonly notation?: string;
  readonly input: Case['input'];
}

export type SendRequest = (request: CaseRequest) => Response | Promise<Response>;

/** All cases of the tasks, in order, one after the other. */
export async function play(send: SendRequest, tasks: readonly Task[] = TASKS): Promise<Played[]> {
  const played: Played[] = [];
  for (const task of tasks) {
    for (const each of readVectors(task).cases) {
      const { id, notation, input } = each;
      const response = await send({ id, task, ...(notation === undefined ? {} : { notation }), input });
      played.push({ task, case: each, ...outcomeOf(task, each, response) });
    }
  }
  return played;
}

function outcomeOf(task: Task, testCase: Case, response: Response): Pick<Played, 'outcome' | 'got'> {
  if ('unsupported' in response) return { outcome: 'unsupported', got: null };
  if ('fault' in response) return { outcome: 'wrong', got: response.fault };
  return { outcome: isRight(task, testCase, response.output) ? 'right' : 'wrong', got: response.output };
}

export function count(played: readonly Played[], task: Task, groups: readonly Group[] = GROUPS): Count {
  const measured = played.filter(
    (each) => each.task === task && groups.includes(each.case.group) && each.outcome !== 'unsupported',
  );
  return { right: measured.filter(({ outcome }) => outcome === 'right').length, of: measured.length };
}
