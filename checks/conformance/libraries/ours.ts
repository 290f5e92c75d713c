// This project as a program that is measured: the functions of the package doi-names, which the gateway calls too.

import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type DoiName, equivalence, find, forms, parse, warnings } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import type { Response } from '../run/program.ts';
import type { CaseRequest } from '../run/score.ts';
import type { Inputs, Outputs, Task } from '../run/vectors.ts';

type Answers = { readonly [T in Task]: (input: Inputs[T]) => Outputs[T] };

const ANSWERS: Answers = {
  parse: ({ text, form }) => ({ name: parse(text, { form }).name }),
  encode: ({ name, form }) => ({ text: written(nameOf(name), form) }),
  equivalence: ({ a, b }) => ({ equivalent: equivalence(a, b, lookalikes).equivalent }),
  find: ({ text }) => ({ names: find(text).map(({ name }) => name) }),
  warnings: ({ name }) => ({
    warnings: warnings(nameOf(name), lookalikes).map(({ code, position, repaired }) => ({
      code,
      position,
      repaired,
    })),
  }),
};

function written(name: DoiName, form: string): string {
  const texts = Object.entries(forms(name)).find(([each]) => each === form)?.[1];
  if (texts === undefined) throw new Error(`There is no form ${form}.`);
  return [texts].flat().join(' ');
}

function nameOf(text: string): DoiName {
  const { name, problem } = parse(text, { form: 'NAME' });
  if (name === null) throw new Error(problem.message);
  return name;
}

export function ours<T extends Task>({ task, input }: { task: T; input: Inputs[T] }): Response {
  return { output: ANSWERS[task](input) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as CaseRequest & { readonly input: never };
    console.log(JSON.stringify({ id: request.id, ...ours(request) }));
  }
}
