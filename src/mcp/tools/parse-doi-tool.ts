import { z } from 'zod';
import { PARSE_DOI } from '../tool-documents.ts';
import { DoiInput, dataOf, defineTool, LinkedDoi } from './tool.ts';

const Forms = z.object({
  display: z.string(),
  uri: z.string(),
  url: z.string(),
  urn: z.string(),
  infoUri: z.string(),
  markdown: z.string(),
  html: z.string(),
});

/** By the gateway's word for it. */
const FORM_NAMES: Readonly<Record<string, keyof z.infer<typeof Forms>>> = {
  DISPLAY: 'display',
  URI: 'uri',
  URL_RECOMMENDED: 'url',
  URN: 'urn',
  INFO_URI: 'infoUri',
  MARKDOWN: 'markdown',
  HTML: 'html',
};

interface Answer {
  readonly parseDoi: {
    readonly form: string | null;
    readonly decoded: boolean;
    readonly problem: z.infer<typeof Problem> | null;
    readonly meant: readonly { readonly doi: { readonly name: string; readonly url: string } }[];
    readonly doi: {
      readonly name: string;
      readonly canonicalName: string;
      readonly prefix: string;
      readonly suffix: string;
      readonly encodings: readonly { readonly form: string; readonly value: string }[];
      readonly warnings: readonly {
        readonly code: string;
        readonly message: string;
        readonly repaired: { readonly name: string; readonly url: string } | null;
      }[];
    } | null;
  };
}

const Problem = z.object({
  code: z.string().describe('MISSING_SUFFIX, INVALID_PREFIX, NOT_A_DOI, …'),
  message: z.string(),
  position: z.int().nullable().describe('Where in the input, in UTF-16 units.'),
  looksLike: z.string().nullable().describe('What it is instead: ISBN, ISSN, ORCID, ARXIV, PMID, URL, …'),
});

export const parseDoi = defineTool({
  name: 'parse_doi',
  title: 'Read a DOI and write it in every form',
  description: `Reads one DOI in any form and gives its name and all forms correctly encoded: link, URN, doi: URI, Markdown, HTML. Says what is wrong with what is no DOI, and warns of what was probably copied along. Asks no directory: that a DOI can be read does not mean that it is registered.
Example: {"input": "10.1000/456#789"} gives {"doi": {"name": "10.1000/456#789", "forms": {"url": "https://doi.org/10.1000/456%23789"}}}; {"input": "978-3-16-148410-0"} gives {"doi": null, "problem": {"code": "NOT_A_DOI", "looksLike": "ISBN"}}.`,
  input: z.object({ input: DoiInput }),
  output: z.object({
    doi: z
      .object({
        name: z.string().describe('Unencoded, case as given.'),
        canonicalName: z.string().describe('What all spellings of the DOI share: compare and store by it.'),
        prefix: z.string(),
        suffix: z.string(),
        forms: Forms,
        warnings: z.array(
          z.object({
            code: z.string(),
            message: z.string(),
            repaired: LinkedDoi.nullable().describe('The DOI without it; not known to exist.'),
          }),
        ),
      })
      .nullable()
      .describe('Null for what is no DOI.'),
    form: z.string().nullable().describe('The form that it was written in: NAME, URL, URN, …'),
    decoded: z.boolean().describe('Percent triplets were decoded, so that the name is not what was given.'),
    problem: Problem.nullable().describe('Why it is no DOI. Null for a DOI.'),
    meant: z.array(LinkedDoi).describe('DOIs that stand in what is none.'),
  }),
  async call({ input }, { gateway, signal }) {
    const { parseDoi } = await dataOf<Answer>(gateway.ask, PARSE_DOI, { input }, signal);
    const { doi, form, decoded, problem, meant } = parseDoi;
    const structured = {
      doi: doi && {
        name: doi.name,
        canonicalName: doi.canonicalName,
        prefix: doi.prefix,
        suffix: doi.suffix,
        forms: formsOf(doi.encodings),
        warnings: doi.warnings.map(({ code, message, repaired }) => ({
          code,
          message,
          repaired: repaired && linkedDoi(repaired),
        })),
      },
      form,
      decoded,
      problem,
      meant: meant.map((match) => linkedDoi(match.doi)),
    };
    return { structured, text: textOf(doi, problem, structured.meant) };
  },
});

function linkedDoi({ name, url }: { readonly name: string; readonly url: string }) {
  return { doi: name, url };
}

function formsOf(encodings: readonly { readonly form: string; readonly value: string }[]) {
  const forms = encodings.map(({ form, value }) => [FORM_NAMES[form], value]);
  return Object.fromEntries(forms) as z.infer<typeof Forms>;
}

function textOf(
  doi: Answer['parseDoi']['doi'],
  problem: z.infer<typeof Problem> | null,
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
