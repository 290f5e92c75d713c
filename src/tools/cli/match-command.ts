// `doi match`: finds the works that the references of files describe.

import { safeText } from '../../safe-text.ts';
import { MAX_REFERENCE_CHARACTERS, MAX_REFERENCES_AT_ONCE } from '../../works/matching/reference-words.ts';
import { Failure } from '../gateway-client/batched-queries.ts';
import {
  createMatchReferences,
  NOT_FOUND_MEANS,
  type ReferenceAnswer,
} from '../gateway-client/match-references.ts';
import { NoGatewayError } from '../gateway-client/send-operation.ts';
import {
  type CommandCall,
  defineCommand,
  GATEWAY_OPTIONS,
  LOOK_UP_FAILED,
  NEGATIVE_ANSWER,
  POSITIVE_ANSWER,
} from './command.ts';
import { checkCount, type ReadReference, readReferences } from './match/read-references.ts';
import {
  annotationOfMatch,
  asCsv,
  CSV_COLUMNS,
  csvLine,
  inWords,
  jsonOfMatch,
  type MatchedReference,
  type MatchOutcome,
  OUTCOME_WORDS,
  outcomeOfMatch,
} from './match/written-match.ts';
import { countText, OutputClosedError, StatusLine } from './output.ts';
import { inputOf, STANDARD_INPUT } from './read-input.ts';
import { createReportedWait } from './reported-wait.ts';

const OPTIONS = {
  quiet: {
    type: 'flag',
    short: 'q',
    meaning: 'Write only the references that are not found without a difference.',
  },
  ...GATEWAY_OPTIONS,
  format: {
    type: 'value',
    short: 'f',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'github', 'csv'],
    meaning:
      'json: one object on each line: {"file", "line", "reference", "outcome", "doi", "evidence", "candidates", "sources", "reason"}; "outcome" is found, differs, several, not-found, or unknown for a search that failed. github: annotations for GitHub Actions. Default: text.',
  },
} as const;

type MatchCall = CommandCall<typeof OPTIONS>;

export const matchCommand = defineCommand({
  name: 'match',
  summary: 'find the works that references in words describe',
  operands: '[FILE…]',
  about: [
    'Splits each FILE (- for standard input) into references, and looks up the work that each reference describes: at Crossref, then at DataCite. The references are BibTeX entries, records of RIS, MEDLINE, EndNote or Web of Science, or items of a list: numbered, with bullets, with hanging indents, divided by blank lines, or one on each line. If the text has a heading such as References, the list is below it. Standard error says how each file was split.',
    'found: the title and another detail agree, and no detail differs. differs: one work, but details differ; both texts are shown. several: works that fit equally. not found: no work that fits, with the nearest. cannot tell: the search failed.',
    NOT_FOUND_MEANS,
    'Only the words of the references leave the gateway. Agencies allow few searches per second: 60 references take about half a minute.',
  ],
  options: OPTIONS,
  examples: [
    {
      command: 'CONTACT=you@example.org doi match --live refs.txt',
      meaning: 'Use the live DOI system and the APIs of Crossref and DataCite.',
    },
    {
      command: 'pdftotext -layout paper.pdf - | doi match --live -',
      meaning: 'The references of a paper.',
    },
    {
      command: 'doi match --gateway https://doi.example.org --format csv refs.bib > matches.csv',
      meaning: 'Use a running gateway, and write a table.',
    },
  ],
  exitCodes: {
    0: 'All references are found.',
    1: 'A reference differs, is several, or is not found.',
    3: 'The search for a reference failed. This code has priority over 1.',
  },
  async run(call) {
    const { stdout, stderr, options } = call;
    const references = await readAll(call);
    const status = new StatusLine(stderr, call.now);
    const matched = new MatchCounter(references.length);
    try {
      if (options.format === 'csv') await stdout.writeStyled(csvLine(CSV_COLUMNS));
      await matchAll(call, references, matched, status);
    } finally {
      await status.clear().catch(() => undefined);
      if (call.signal.aborted && !(call.signal.reason instanceof OutputClosedError))
        await stderr.write(`doi match: interrupted. ${matched.summary()}\n`);
    }
    await stderr.write(`${matched.summary()}\n`);
    if (matched.counts.NOT_FOUND > 0) await stderr.write(`${NOT_FOUND_MEANS}\n`);
    return matched.exitCode();
  },
});

async function readAll({ operands, stdin, stderr }: MatchCall): Promise<readonly ReadReference[]> {
  if (operands.length === 0 && stdin.isTTY)
    await stderr.write('doi match: reading from the terminal; Ctrl-D ends the text.\n');
  const references: ReadReference[] = [];
  for (const name of operands.length === 0 ? [STANDARD_INPUT] : operands) {
    const list = await readReferences(inputOf(name, stdin));
    await stderr.write(`${safeText(list.note)}\n`);
    for (const reference of list.references) references.push(reference);
  }
  checkCount(references.length);
  return references;
}

const NO_TITLE = new Failure('The record has no title.', 'nothing');

async function matchAll(
  call: MatchCall,
  references: readonly ReadReference[],
  matched: MatchCounter,
  status: StatusLine,
): Promise<void> {
  if (references.length === 0) return;
  const { send } = await call.gateway();
  const note = (): string => `doi match: ${matched.progress()}; the agencies are busy`;
  const wait = createReportedWait(call, note, status);
  const onAnswer = (): void => {
    matched.answered += 1;
    status.show(() => matched.progress());
  };
  const match = createMatchReferences({ send, signal: call.signal, wait, onAnswer });
  // The answers of an operation are written before the next operation.
  for (let at = 0; at < references.length; at += MAX_REFERENCES_AT_ONCE) {
    const batch = references.slice(at, at + MAX_REFERENCES_AT_ONCE);
    const texts = batch.map(({ text }) => text).filter((text) => text !== '');
    const answers = (await match(texts).catch(withHint)).values();
    const answered = batch.map((reference): MatchedReference => {
      const answer = reference.text === '' ? NO_TITLE : (answers.next().value ?? NO_TITLE);
      return { ...reference, text: reference.text.slice(0, MAX_REFERENCE_CHARACTERS), answer };
    });
    await write(call, answered, matched, status);
  }
}

function withHint(error: unknown): readonly (ReferenceAnswer | Failure)[] {
  if (!(error instanceof NoGatewayError)) throw error;
  throw new NoGatewayError(
    `${error.message}\nTo use the live DOI system:  CONTACT=you@example.org doi match --live …`,
    { cause: error },
  );
}

async function write(
  { options, stdout }: MatchCall,
  answered: readonly MatchedReference[],
  matched: MatchCounter,
  status: StatusLine,
): Promise<void> {
  const { format = 'text', quiet } = options;
  let text = '';
  for (const reference of answered) {
    matched.add(reference);
    if (quiet && outcomeOfMatch(reference) === 'FOUND') continue;
    if (format === 'text') text += inWords(reference, stdout);
    else text += { json: jsonOfMatch, csv: asCsv, github: annotationOfMatch }[format](reference);
  }
  if (text === '') return;
  await status.clear();
  await stdout.writeStyled(text);
}

class MatchCounter {
  /** the number of references that the gateway answered; others can wait for their turn */
  answered = 0;
  readonly counts: Record<MatchOutcome, number> = {
    FOUND: 0,
    DIFFERS: 0,
    SEVERAL: 0,
    NOT_FOUND: 0,
    UNKNOWN: 0,
  };
  readonly #references: number;

  constructor(references: number) {
    this.#references = references;
  }

  add(reference: MatchedReference): void {
    this.counts[outcomeOfMatch(reference)] += 1;
  }

  /** Example: `60 of 200 references done` */
  progress(): string {
    return `${this.answered} of ${countText(this.#references, 'reference', 'references')} done`;
  }

  /** Example: `12 references: 10 found, 1 differs, 0 several, 1 not found, 0 cannot tell` */
  summary(): string {
    const counts = Object.entries(OUTCOME_WORDS).map(
      ([outcome, { text }]) => `${this.counts[outcome as MatchOutcome]} ${text}`,
    );
    return `${countText(this.#references, 'reference', 'references')}: ${counts.join(', ')}`;
  }

  exitCode(): number {
    const { DIFFERS, SEVERAL, NOT_FOUND, UNKNOWN } = this.counts;
    if (UNKNOWN > 0) return LOOK_UP_FAILED;
    return DIFFERS + SEVERAL + NOT_FOUND > 0 ? NEGATIVE_ANSWER : POSITIVE_ANSWER;
  }
}
