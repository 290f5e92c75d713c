// The names of the operands or of standard input, in any form.

import { meantBy } from '../../doi/find/reference-around.ts';
import type { DoiName, HandleName } from '../../doi/name.ts';
import type { OtherIdentifier } from '../../doi/other-identifiers.ts';
import { parseDoi } from '../../doi/parse.ts';
import { handleBesideDois } from '../../doi/read-handle.ts';
import { type CommandCall, UsageError } from './command.ts';
import { type Input, inputsOf, STANDARD_INPUT, UnreadableInputError } from './read-input.ts';

export interface GivenName {
  readonly input: string;
  /** null: it is not a DOI name */
  readonly name: DoiName | null;
  /** the handle that it is instead; null: a DOI name, or no handle */
  readonly handle: HandleName | null;
  /** the problem, and what was probably meant; null: no problem */
  readonly problem: string | null;
  readonly looksLike: OtherIdentifier | null;
  readonly meant: readonly DoiName[];
}

export const LITERAL = {
  type: 'flag',
  meaning: 'Take each NAME as it is, as from a database: no percent triplet is decoded, nothing is trimmed.',
} as const;

const MOST_MEANT = 5;

/** All names stay in memory until they are shown. */
const MOST_LINES = 1_000;
const MOST_CHARACTERS = 1_000_000;

/** `-` means the lines of standard input. Rejects with a UsageError for no name or too many lines. */
export async function givenNames(
  { operands, stdin, signal }: Pick<CommandCall, 'operands' | 'stdin' | 'signal'>,
  isLiteral: boolean,
): Promise<readonly GivenName[]> {
  const given: GivenName[] = [];
  // A terminal without input does not end.
  signal.throwIfAborted();
  signal.addEventListener('abort', () => stdin.destroy(), { once: true });
  for (const input of operands.length === 0 ? [] : inputsOf(operands, stdin)) {
    const texts = input.name === STANDARD_INPUT ? await linesOf(input) : [input.name];
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
      if (text.length > MOST_CHARACTERS) throw new UsageError(TOO_MUCH);
    }
  } catch (error) {
    if (!(error instanceof UnreadableInputError)) throw error;
    throw new UsageError(`Standard input: ${error.message}`, { cause: error });
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > MOST_LINES) throw new UsageError(TOO_MUCH);
  return lines;
}

const TOO_MUCH = `Standard input has more than ${MOST_LINES} lines or is too long. For a file of names there is  doi bulk`;

export function givenName(input: string, isLiteral: boolean): GivenName {
  const parsed = parseDoi(input, isLiteral ? 'NAME' : null);
  if (parsed.name !== null) {
    return { input, name: parsed.name, handle: null, problem: null, looksLike: null, meant: [] };
  }
  const { message, looksLike } = parsed.problem;
  const handle = handleBesideDois(parsed);
  const meant = meantBy(parsed, MOST_MEANT).map(({ name }) => name);
  return {
    ...{ input, name: null, handle, problem: message },
    looksLike: handle === null ? looksLike : 'HANDLE',
    meant: [...new Set(meant)],
  };
}

/** The probable kind of the input. The problem itself explains a shortDOI. */
const INSTEAD: Readonly<Partial<Record<OtherIdentifier, string>>> = {
  HANDLE: 'It is a handle that is not a DOI name: doi show looks it up.',
  ARXIV: 'It looks like an identifier of arXiv.',
  ISBN: 'It looks like an ISBN, the number of a book. Some books have a DOI name too.',
  ISSN: 'It looks like an ISSN, the number of a journal or series. Some have a DOI name too.',
  PMID: 'It looks like a PMID, the number of an article in PubMed, whose page there shows its DOI name.',
  PMCID:
    'It looks like a PMCID, the number of an article in PubMed Central, whose page there shows its DOI name.',
  ORCID: 'It looks like an ORCID iD, which names a person.',
  ROR: 'It looks like a ROR ID, which names an organization.',
  URL: 'It looks like the address of a page, which may show its DOI name.',
};

/** `"10.1000/" has no suffix … Did you mean 10.1000/182?` */
export function problemLine({ problem, looksLike, meant }: GivenName): string {
  const instead = looksLike === null ? undefined : INSTEAD[looksLike];
  const offered = meant.length === 0 ? undefined : `Did you mean ${meant.join(' or ')}?`;
  return [problem, instead, offered].filter((part) => part !== undefined).join(' ');
}
