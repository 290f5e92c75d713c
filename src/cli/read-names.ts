// The names that are given as operands, in whatever form.

import { meantBy } from '../doi/find/meant.ts';
import type { DoiName } from '../doi/name.ts';
import { parseDoi } from '../doi/parse.ts';
import { UsageError } from './command.ts';

export interface GivenName {
  readonly input: string;
  /** null: it is no DOI name */
  readonly name: DoiName | null;
  /** what is wrong with it, and what was probably meant; null where nothing is */
  readonly problem: string | null;
  readonly meant: readonly DoiName[];
}

export const LITERAL = {
  type: 'flag',
  meaning: 'Take each NAME as it is, as from a database: no percent triplet is decoded, nothing is trimmed.',
} as const;

const MOST_MEANT = 5;

/** Throws a UsageError where there is none. */
export function givenNames(operands: readonly string[], isLiteral: boolean): readonly GivenName[] {
  if (operands.length === 0) throw new UsageError('Give one DOI name or more, as in  doi show 10.1000/182');
  return operands.map((input) => givenName(input, isLiteral));
}

export function givenName(input: string, isLiteral: boolean): GivenName {
  const parsed = parseDoi(input, isLiteral ? 'NAME' : null);
  if (parsed.name !== null) return { input, name: parsed.name, problem: null, meant: [] };
  const meant = meantBy(parsed, MOST_MEANT).map(({ name }) => name);
  return { input, name: null, problem: parsed.problem.message, meant: [...new Set(meant)] };
}

/** `"10.1000/" has no suffix … Did you mean 10.1000/182?` */
export function problemTold({ problem, meant }: GivenName): string {
  return `${problem}${meant.length === 0 ? '' : ` Did you mean ${meant.join(' or ')}?`}`;
}
