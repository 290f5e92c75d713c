// What can be said of a list before it is looked up, by the package doi-names: no request, and the gateway's own words.

import { type ParsedDoi, parse, warnings } from 'doi-names';
import { count } from './words.ts';

/** Longer lists are read as far as this while a person types. */
const MOST_READ = 1_000;

/** A sentence or two; empty for an empty list. */
export function readingInWords(inputs: readonly string[]): string {
  const [first, ...others] = inputs.slice(0, MOST_READ).map((input) => parse(input));
  if (first === undefined) return '';
  return others.length === 0 ? oneInWords(first) : manyInWords([first, ...others]);
}

function oneInWords({ name, problem }: ParsedDoi): string {
  if (name === null) return problem.message;
  const [warning] = warnings(name);
  return warning === undefined ? `The DOI name ${name}.` : `The DOI name ${name}. ${warning.message}`;
}

function manyInWords(list: readonly ParsedDoi[]): string {
  const bad = list.findIndex(({ name }) => name === null);
  if (bad === -1) return `All of them are DOI names.`;
  const names = list.filter(({ name }) => name !== null).length;
  return `${count(names, 'DOI name')}. Row ${bad + 1}: ${list[bad]?.problem?.message}`;
}
