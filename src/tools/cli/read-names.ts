// Reads the names that the user gives as operands or in standard input, in any form.

import type { DoiName, HandleName, OtherIdentifier } from 'doi-names';
import { handleThatIsNotDoi, meantBy, parseDoi } from 'doi-names/parts';
import { type CommandCall, UsageError } from './command.ts';
import { type Input, inputOf, STANDARD_INPUT, UnreadableInputError } from './read-input.ts';

export interface GivenName {
  readonly input: string;
  /** null if the input is not a DOI name */
  readonly name: DoiName | null;
  /** the handle, if the input is a handle that is not a DOI name; else null */
  readonly handle: HandleName | null;
  /** why the input is not a DOI name; null if it is a DOI name */
  readonly problem: string | null;
  /** the probable kind of an input that is not a DOI name; null if unknown */
  readonly looksLike: OtherIdentifier | null;
  /** the names that the user probably meant */
  readonly meant: readonly DoiName[];
}

export const LITERAL = {
  type: 'flag',
  meaning: 'Read each NAME literally, for example from a database: decode no percent triplet, trim nothing.',
} as const;

const MAX_MEANT = 5;

/** All names stay in memory until the command shows them. */
const MAX_LINES = 1_000;
const MAX_CHARACTERS = 1_000_000;

/** For the operand `-`, reads the lines of standard input. Rejects with a UsageError for no name or too many lines. */
export async function givenNames(
  { operands, stdin, signal }: Pick<CommandCall, 'operands' | 'stdin' | 'signal'>,
  isLiteral: boolean,
): Promise<readonly GivenName[]> {
  const given: GivenName[] = [];
  signal.throwIfAborted();
  for (const operand of operands) {
    const texts = operand === STANDARD_INPUT ? await linesOf(inputOf(operand, stdin)) : [operand];
    given.push(...texts.map((text) => givenName(text, isLiteral)));
  }
  if (given.length === 0) throw new UsageError('Give one DOI name or more, such as 10.1000/182.');
  return given;
}

async function linesOf(input: Input): Promise<readonly string[]> {
  let text = '';
  try {
    for await (const piece of input.pieces()) {
      text += piece;
      if (text.length > MAX_CHARACTERS) throw new UsageError(TOO_MUCH);
    }
  } catch (error) {
    if (!(error instanceof UnreadableInputError)) throw error;
    throw new UsageError(`Standard input: ${error.message}`, { cause: error });
  }
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  if (lines.length > MAX_LINES) throw new UsageError(TOO_MUCH);
  return lines;
}

const TOO_MUCH = `Standard input has more than ${MAX_LINES} lines or is too long. Use  doi bulk  for a file of names.`;

export function givenName(input: string, isLiteral: boolean): GivenName {
  const parsed = parseDoi(input, isLiteral ? 'NAME' : null);
  if (parsed.name !== null) {
    return { input, name: parsed.name, handle: null, problem: null, looksLike: null, meant: [] };
  }
  const { message, looksLike } = parsed.problem;
  const handle = handleThatIsNotDoi(parsed);
  const meant = meantBy(parsed, MAX_MEANT).map(({ name }) => name);
  return {
    input,
    name: null,
    handle,
    problem: message,
    looksLike: handle === null ? looksLike : 'HANDLE',
    meant: [...new Set(meant)],
  };
}

/** A sentence about the probable kind of the input. A shortDOI has no sentence here, because its problem explains it. */
const KIND_TEXTS: Readonly<Partial<Record<OtherIdentifier, string>>> = {
  HANDLE: 'It is a handle that is not a DOI name: doi show looks it up.',
  ARXIV: 'It looks like an identifier of arXiv.',
  ISBN: 'It looks like an ISBN, the number of a book. Some books have a DOI name too.',
  ISSN: 'It looks like an ISSN, the number of a journal or series. Some have a DOI name too.',
  PMID: 'It looks like a PMID, the number of an article in PubMed. The page of the article in PubMed shows its DOI name.',
  PMCID:
    'It looks like a PMCID, the number of an article in PubMed Central. The page of the article there shows its DOI name.',
  ORCID: 'It looks like an ORCID iD, which names a person.',
  ROR: 'It looks like a ROR ID, which names an organization.',
  URL: 'It looks like the address of a page. The page might show its DOI name.',
};

/** Example: `"10.1000/" has no suffix … Did you mean 10.1000/182?` */
export function problemLine({ problem, looksLike, meant }: GivenName): string {
  const kind = looksLike === null ? undefined : KIND_TEXTS[looksLike];
  const suggestion = meant.length === 0 ? undefined : `Did you mean ${meant.join(' or ')}?`;
  return [problem, kind, suggestion].filter((part) => part !== undefined).join(' ');
}
