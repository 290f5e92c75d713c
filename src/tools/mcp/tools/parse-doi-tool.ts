import { z } from 'zod';
import { PARSE_DOI } from '../tool-documents.ts';
import { DoiInput, dataOf, defineTool, nullIfEmpty, Texts, type WithNulls } from './tool.ts';

/** Maps the name of a form in the GraphQL schema to its name in the result. */
const FORM_NAMES: Readonly<Record<string, string>> = {
  DISPLAY: 'display',
  URI: 'uri',
  URL_RECOMMENDED: 'url',
  URN: 'urn',
  INFO_URI: 'infoUri',
  MARKDOWN: 'markdown',
  HTML: 'html',
};

interface ParseDoiData {
  readonly parseDoi: {
    readonly form: string | null;
    readonly decoded: boolean;
    readonly problem: ParseProblem | null;
    readonly meant: readonly { readonly doi: Linked }[];
    readonly doi: ParsedDoi | null;
  };
}

interface ParsedDoi {
  readonly name: string;
  readonly canonicalName: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly encodings: readonly { readonly form: string; readonly value: string }[];
  readonly warnings: readonly {
    readonly code: string;
    readonly message: string;
    readonly repaired: Linked | null;
  }[];
}

interface Linked {
  readonly name: string;
  readonly url: string;
}

const Problem = z.object({
  code: z.string(),
  message: z.string(),
  position: z.int().optional(),
  looksLike: z.string().optional(),
});
type ParseProblem = WithNulls<z.infer<typeof Problem>>;

export const parseDoiTool = defineTool({
  name: 'parse_doi',
  title: 'Read a DOI and write it in every form',
  description: `Reads a DOI in any form, and returns its name and all forms, correctly encoded. Says why an input is no DOI, and warns of text that was probably copied with the DOI. Makes no look-up.
Example: {"input": "10.1000/456#789"} gives {"doi": {"forms": {"url": "https://doi.org/10.1000/456%23789"}}}; "978-3-16-148410-0" gives {"problem": {"looksLike": "ISBN"}}.`,
  input: z.strictObject({ input: DoiInput }),
  output: z.object({
    doi: z
      .object({
        name: z.string(),
        canonicalName: z.string().describe('Use it to compare and store.'),
        prefix: z.string(),
        suffix: z.string(),
        forms: Texts.describe(Object.values(FORM_NAMES).join(', ')),
        warnings: z.array(z.record(z.string(), z.unknown())).optional(),
      })
      .optional(),
    form: z.string().optional().describe('Form of the input: NAME, URL, URN, …'),
    decoded: z.boolean(),
    problem: Problem.optional().describe('Why the input is no DOI.'),
    meant: z.array(Texts).optional(),
  }),
  async call({ input }, context) {
    const { parseDoi } = await dataOf<ParseDoiData>(context, PARSE_DOI, { input });
    const { doi, form, decoded, problem, meant } = parseDoi;
    const structured = {
      doi: doi && readDoi(doi),
      form,
      decoded,
      problem,
      meant: nullIfEmpty(meant.map((match) => linked(match.doi))),
    };
    return { structured, text: textOf(doi, problem, structured.meant ?? []) };
  },
});

function linked({ name, url }: Linked) {
  return { doi: name, url };
}

function readDoi({ encodings, warnings, ...names }: ParsedDoi) {
  const read = warnings.map(({ repaired, ...warning }) => ({
    ...warning,
    repaired: repaired && linked(repaired),
  }));
  return {
    ...names,
    forms: Object.fromEntries(encodings.map(({ form, value }) => [FORM_NAMES[form] ?? form, value])),
    warnings: nullIfEmpty(read),
  };
}

function textOf(
  doi: ParsedDoi | null,
  problem: ParseProblem | null,
  meant: readonly { readonly doi: string }[],
): string {
  if (doi === null) {
    const names = meant.length > 0 ? [`Probably meant: ${meant.map((one) => one.doi).join(', ')}`] : [];
    return [`No DOI: ${problem?.message ?? ''}`, ...names].join('\n');
  }
  const forms = doi.encodings.map(({ form, value }) => `${FORM_NAMES[form]}: ${value}`);
  const warnings = doi.warnings.map(({ code, message }) => `${code}: ${message}`);
  return [`name: ${doi.name}`, ...forms, ...warnings].join('\n');
}
