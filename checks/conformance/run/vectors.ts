// The cases in checks/conformance/vectors, typed as vectors.schema.json describes them.

import { readFileSync } from 'node:fs';

export const TASKS = ['parse', 'encode', 'equivalence', 'find', 'warnings'] as const;
export type Task = (typeof TASKS)[number];

export const GROUPS = ['required', 'recommended', 'judgement'] as const;
export type Group = (typeof GROUPS)[number];

export interface Warning {
  readonly code: string;
  /** UTF-16 offset in the name */
  readonly position: number | null;
  readonly repaired: string | null;
}

export interface Inputs {
  readonly parse: { readonly text: string; readonly form?: 'NAME' | 'WEB_FORM' | 'URI' | 'URL' | 'URN' };
  readonly encode: { readonly name: string; readonly form: string };
  readonly equivalence: { readonly a: string; readonly b: string };
  readonly find: { readonly text: string };
  readonly warnings: { readonly name: string };
}

export interface Outputs {
  readonly parse: { readonly name: string | null };
  readonly encode: { readonly text: string };
  /** null: a side is no DOI */
  readonly equivalence: { readonly equivalent: boolean | null };
  readonly find: { readonly names: readonly string[] };
  readonly warnings: { readonly warnings: readonly Warning[] };
}

/** What this project's tests compare beyond the output. */
interface Details {
  readonly parse: { readonly form?: string; readonly problem?: string };
  readonly encode: never;
  readonly equivalence: { readonly relation: string };
  readonly find: { readonly places: readonly (readonly [start: number, end: number])[] };
  readonly warnings: never;
}

export interface Case<T extends Task = Task> {
  readonly id: string;
  readonly group: Group;
  /** the document, and its section */
  readonly source: string;
  readonly reason?: string;
  /** of a text to parse: what it looks like */
  readonly notation?: string;
  readonly input: Inputs[T];
  readonly expected: Outputs[T];
  /** another URL is right too, if it leads to this name and has none of these characters */
  readonly accept?: { readonly name: string; readonly without: string };
  readonly details?: Details[T];
}

export interface Vectors<T extends Task = Task> {
  readonly task: T;
  readonly cases: readonly Case<T>[];
}

export function readVectors<T extends Task>(task: T): Vectors<T> {
  return JSON.parse(readFileSync(new URL(`../vectors/${task}.json`, import.meta.url), 'utf8'));
}
