// What was probably meant by an input that names no DOI.

import { arxivDoi } from '../other-identifiers.ts';
import { type ParsedDoi, parseDoi } from '../parse.ts';
import { type DoiMatch, findDois } from './find-dois.ts';

/** The names that stand in an input with a problem, and the one of an identifier of arXiv; none without a problem. */
export function meantBy({ input, problem }: ParsedDoi, most?: number): DoiMatch[] {
  if (problem === null) return [];
  const found = findDois(input, most);
  return found.length === 0 && problem.looksLike === 'ARXIV' ? matchOfArxiv(input) : found;
}

function matchOfArxiv(input: string): DoiMatch[] {
  const text = input.trim();
  const { name } = parseDoi(arxivDoi(input) ?? '', 'NAME');
  const start = input.indexOf(text);
  return name === null ? [] : [{ name, text, start, end: start + text.length, form: 'NAME', repaired: true }];
}
