// `doi cite`: writes citations of names, and adds missing fields to BibTeX files.

import { canonicalName } from 'doi-names';
import { safeText } from '../../safe-text.ts';
import { CITATION_LOCALES, CITATION_STYLES } from '../../works/metadata-format.ts';
import { Failure } from '../gateway-client/batched-queries.ts';
import { NOT_IN_SAMPLE } from '../gateway-client/look-up-names.ts';
import {
  type Citation,
  type CitationFormat,
  faultOf,
  lookUpCitations,
} from '../gateway-client/look-up-works.ts';
import { createMatchReferences } from '../gateway-client/match-references.ts';
import { NoGatewayError } from '../gateway-client/send-operation.ts';
import { readBibtexFile } from './cite/bibtex-file.ts';
import { completeBibtex } from './cite/complete-bibtex.ts';
import {
  type CommandCall,
  defineCommand,
  GATEWAY_OPTIONS,
  LOOK_UP_FAILED,
  NEGATIVE_ANSWER,
  POSITIVE_ANSWER,
  sampleNote,
  UsageError,
} from './command.ts';
import { inputOf } from './read-input.ts';
import { type GivenName, givenNames, LITERAL, problemLine } from './read-names.ts';
import { createReportedWait } from './reported-wait.ts';

const OPTIONS = {
  style: {
    type: 'value',
    short: 's',
    placeholder: 'STYLE',
    choices: CITATION_STYLES,
    meaning: 'The style of citations: ieee, nature, vancouver, … Default: apa.',
  },
  locale: {
    type: 'value',
    placeholder: 'LOCALE',
    choices: CITATION_LOCALES,
    meaning: 'The language of citations: de-DE, fr-FR, … Default: en-US.',
  },
  format: {
    type: 'value',
    short: 'f',
    placeholder: 'FORMAT',
    choices: ['text', 'bibtex', 'ris', 'csl'],
    meaning: 'text: a citation on each line. csl: one list of CSL JSON. Default: text.',
  },
  complete: {
    type: 'value',
    placeholder: 'FILE',
    isFile: true,
    meaning:
      'Read the BibTeX file FILE (- for standard input), add missing fields to the entries that have a DOI or whose DOI is found, and write the file to standard output.',
  },
  force: {
    type: 'flag',
    meaning:
      'With --complete: also complete an entry whose title, people and year all differ from those of the work that its DOI identifies.',
  },
  'no-match': {
    type: 'flag',
    meaning: 'With --complete: search no DOIs for entries that have none.',
  },
  literal: LITERAL,
  ...GATEWAY_OPTIONS,
} as const;

type CiteCall = CommandCall<typeof OPTIONS>;

export const citeCommand = defineCommand({
  name: 'cite',
  summary: 'cite works: in a style, as BibTeX, RIS or CSL JSON',
  operands: 'NAME… | -',
  about: [
    'Reads each NAME in any form and writes a citation from the metadata of its agency, in the order of the names. For -, the names are the lines of standard input, at most 1,000.',
    'With --complete it adds fields to a BibTeX file. For an entry without a DOI, it searches the DOI by title, people, year and journal, and writes it if nothing differs; standard error lists what differs. Everything already in the file stays as it is: fields, comments and macros. If a field differs from the metadata of the agency, standard error lists both. If title, people and year all differ, the DOI is probably wrong, and the entry is not changed. An entry that has a field crossref or xdata is not changed.',
  ],
  options: OPTIONS,
  examples: [
    {
      command: 'CONTACT=you@example.org doi cite --live --style nature 10.1038/nphys1170',
      meaning: 'A citation, from the live DOI system.',
    },
    {
      command: 'doi find --names paper.md | doi cite - --format bibtex > refs.bib',
      meaning: 'BibTeX for all DOI names in a text.',
    },
    {
      command: 'doi cite --complete refs.bib > complete.bib',
      meaning: 'The output must be another file than the input.',
    },
  ],
  exitCodes: {
    0: 'All works are cited, or the file is complete. Differences do not change the exit code.',
    1: 'A NAME, or a DOI in the file, is no DOI name, does not exist, has no metadata at its agency, or identifies another work than its entry describes.',
    3: 'A look-up failed. This code has priority over 1.',
  },
  run: (call) => (call.options.complete === undefined ? cite(call) : complete(call, call.options.complete)),
});

async function cite(call: CiteCall): Promise<number> {
  const { options, stdout, stderr } = call;
  const format = formatOf(options);
  const all = await givenNames(call, options.literal);
  const given = format.kind === 'text' ? all : withoutDuplicates(all);
  const names = given.flatMap(({ name }) => name ?? []);
  const answers = names.length === 0 ? [] : await lookUp(call, format)(names);
  const texts: string[] = [];
  let exitCode: number = POSITIVE_ANSWER;
  let next = 0;
  for (const item of given) {
    const answer = item.name === null ? null : (answers[next++] as Citation | Failure);
    const fault = answer === null ? problemLine(item) : faultOf(answer);
    if (answer !== null && !(answer instanceof Failure) && answer.text !== null) texts.push(answer.text);
    if (fault === null) continue;
    await stderr.write(`doi cite: ${safeText(answer === null ? fault : `${item.input}: ${fault}`)}\n`);
    exitCode = Math.max(exitCode, answer instanceof Failure ? LOOK_UP_FAILED : NEGATIVE_ANSWER);
  }
  await stdout.write(WRITERS[format.kind](texts));
  return exitCode;
}

const WRITERS: Readonly<Record<CitationFormat['kind'], (texts: readonly string[]) => string>> = {
  text: (texts) => texts.map((text) => `${text.trim().replace(/\s+/g, ' ')}\n`).join(''),
  bibtex: (texts) => texts.join(''),
  ris: (texts) => texts.join(''),
  csl: (texts) => `[${texts.map((text) => `\n${text}`).join(',')}\n]\n`,
};

/** A BibTeX, RIS or CSL file has each work once. */
function withoutDuplicates(given: readonly GivenName[]): readonly GivenName[] {
  const byName = new Map(given.map((item) => [item.name === null ? item : canonicalName(item.name), item]));
  return [...byName.values()];
}

function formatOf({ format: kind = 'text', style, locale }: CiteCall['options']): CitationFormat {
  if (kind === 'text') return { kind, style: style ?? 'apa', locale: locale ?? 'en-US' };
  if (style === undefined && locale === undefined) return { kind };
  throw new UsageError('Use --style and --locale only with --format text.');
}

function lookUp({ gateway, wait, signal, stderr }: CiteCall, format: CitationFormat) {
  return async (names: Parameters<typeof lookUpCitations>[0]) => {
    const { send, isSample } = await gateway();
    const answers = await lookUpCitations(names, format, { send, isSample, wait, signal });
    if (answers.some((answer) => faultOf(answer) === NOT_IN_SAMPLE)) {
      await stderr.write(`doi cite: ${sampleNote('doi cite --live …')}\n`);
    }
    return answers;
  };
}

async function complete(call: CiteCall, path: string): Promise<number> {
  const { operands, options, stdin, stdout, stderr } = call;
  const conflicting = [...operands, options.format, options.style, options.locale];
  if (conflicting.some((word) => word !== undefined)) {
    throw new UsageError('Give --complete without NAME, --format, --style and --locale.');
  }
  const { text, encode } = await readBibtexFile(inputOf(path, stdin));
  if (text === '') throw new UsageError(`${path} is empty. ${OTHER_FILE}`);
  const completed = await completeBibtex(path, text, {
    lookUp: lookUp(call, { kind: 'bibtex' }),
    force: options.force ?? false,
    match: options['no-match'] ? null : (references) => match(call, references),
  });
  const { bytes, note: encodingNote } = encode(completed.text);
  await stdout.writeFile(bytes, completed.text);
  const notes = encodingNote === null ? completed.notes : [encodingNote, ...completed.notes];
  await stderr.write(notes.map((note) => `${note}\n`).join(''));
  return completed.exitCode;
}

/** Resolves without answers if the gateway does not search for references. */
async function match({ gateway, wait, signal, stderr }: CiteCall, references: readonly string[]) {
  try {
    const { send } = await gateway();
    const reportedWait = createReportedWait({ stderr, wait }, () => 'doi cite: the agencies are busy');
    return await createMatchReferences({ send, signal, wait: reportedWait })(references);
  } catch (error) {
    if (!(error instanceof NoGatewayError)) throw error;
    await stderr.write(`doi cite: The DOIs of entries without a DOI are not searched. ${error.message}\n`);
    return [];
  }
}

const OTHER_FILE =
  'With  doi … > FILE  the shell empties FILE before doi reads it. Write the result to another file.';
