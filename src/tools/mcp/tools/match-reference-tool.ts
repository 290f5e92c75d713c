import { z } from 'zod';
import { harmlessLine } from '../../../safe-text.ts';
import { wordsOfRecord } from '../../../works/reference-lists/words-of-record.ts';
import { Failure, NO_ANSWER } from '../../gateway-client/batched-queries.ts';
import { createMatchReferences, type ReferenceAnswer } from '../../gateway-client/match-references.ts';
import { NoGatewayError } from '../../gateway-client/send-operation.ts';
import {
  differenceWords,
  notSearchedWords,
  OUTCOME_MEANINGS,
  REFERENCE_MATCH_OUTCOMES,
  reportedMatch,
  reportedWork,
  type TextSizes,
  workWords,
} from './matched-reference.ts';
import { defineTool, LinkedDoi, nullIfEmpty, Texts, ToolError, withoutNulls } from './tool.ts';

export const matchReferenceTool = defineTool({
  name: 'match_reference',
  title: 'Find the work of a reference',
  description: `Searches Crossref and DataCite for the work of one reference (words, BibTeX or RIS): for a reference without a DOI, or with a wrong one. DIFFERS: show what differs. NOT_FOUND does not mean invented: these services do not have all books, reports and theses. If the search fails, or the gateway does not search, the call is an error.
Example: {"reference": "Watson J, Crick F. Molecular structure of nucleic acids. Nature. 1953;171:737"} gives {"outcome": "FOUND", "doi": "10.1038/171737a0"}.`,
  input: z.strictObject({ reference: z.string() }),
  output: LinkedDoi.partial().extend({
    outcome: z.enum(REFERENCE_MATCH_OUTCOMES),
    explanation: z.string(),
    title: z.string().optional(),
    agrees: z.array(z.string()).optional(),
    differs: z.array(Texts).optional(),
    candidates: z.array(Texts).optional(),
    sources: z.array(z.string()).describe('Where the gateway searched.'),
  }),
  async call({ reference }, { gateway, signal }) {
    const match = createMatchReferences({ ...gateway, signal, wait: null });
    const [answer = NO_ANSWER] = await match([wordsOfRecord(reference) || reference]).catch(
      (error: unknown) => {
        if (!(error instanceof NoGatewayError)) throw error;
        throw new ToolError(`METADATA_OFF: The reference was not searched. ${error.message}`);
      },
    );
    if (answer instanceof Failure) {
      throw new ToolError(`${answer.code ?? 'NO_GATEWAY'}: The reference ${notSearchedWords(answer)}`);
    }
    return withinSize(answer);
  },
});

/** The largest size of structured content and text together, as JSON. */
const MAX_BYTES = 3_900;

interface Step extends TextSizes {
  readonly candidates: number;
}

/** Tried in their order. The last step is small enough for all texts. */
const STEPS: readonly [Step, ...Step[]] = [
  { text: 300, doi: 500, candidates: 5 },
  { text: 150, doi: 300, candidates: 5 },
  { text: 60, doi: 100, candidates: 5 },
  { text: 25, doi: 100, candidates: 0 },
];

function withinSize(answer: ReferenceAnswer) {
  const [first, ...smaller] = STEPS;
  let result = resultOf(answer, first);
  for (const step of smaller) {
    if (Buffer.byteLength(JSON.stringify([withoutNulls(result.structured), result.text])) <= MAX_BYTES) break;
    result = resultOf(answer, step);
  }
  return result;
}

const MAX_SOURCES = 5;
const MAX_SOURCE_CHARACTERS = 50;

function resultOf(answer: ReferenceAnswer, step: Step) {
  const { outcome, work, agrees, differs } = reportedMatch(answer, step);
  const explanation = OUTCOME_MEANINGS[outcome];
  const candidates = answer.candidates.slice(0, step.candidates).map((one) => reportedWork(one, step));
  const sources = answer.sources
    .slice(0, MAX_SOURCES)
    .map((source) => harmlessLine(source, MAX_SOURCE_CHARACTERS));
  const lines = [
    `${outcome}: ${explanation}`,
    ...(work === null ? [] : [workWords(work)]),
    ...(agrees.length === 0 ? [] : [`Agrees: ${agrees.join(', ')}.`]),
    ...(differs.length === 0 ? [] : [`Differs: ${differs.map(differenceWords).join('; ')}.`]),
    ...(candidates.length === 0 ? [] : [CANDIDATES[outcome], ...candidates.map(workWords)]),
    `Searched: ${sources.join(', ')}.`,
  ];
  const structured = {
    outcome,
    explanation,
    doi: work?.doi ?? null,
    url: work?.url ?? null,
    title: work?.title ?? null,
    agrees: nullIfEmpty(agrees),
    differs: nullIfEmpty(differs),
    candidates: nullIfEmpty(candidates.map((one) => withoutNulls(one) as Record<string, string>)),
    sources,
  };
  return { structured, text: lines.join('\n') };
}

const CANDIDATES: Readonly<Record<ReferenceAnswer['outcome'], string>> = {
  FOUND: 'Other works, which fit less:',
  DIFFERS: 'Other works, which fit less:',
  SEVERAL: 'The works:',
  NOT_FOUND: 'The nearest works, which do not fit:',
};
