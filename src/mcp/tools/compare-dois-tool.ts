import { z } from 'zod';
import { COMPARE_DOIS } from '../tool-documents.ts';
import { DoiInput, dataOf, defineTool } from './tool.ts';

const Side = z.object({
  doi: z
    .object({ name: z.string(), canonicalName: z.string(), url: z.string() })
    .nullable()
    .describe('What it was read as. Null for what is no DOI.'),
  problem: z.object({ code: z.string(), message: z.string() }).nullable().describe('Why it is no DOI.'),
});

const Comparison = z.object({
  equivalent: z
    .boolean()
    .nullable()
    .describe('Whether both name the same DOI. Null where one of them is no DOI.'),
  relation: z
    .string()
    .describe(
      'IDENTICAL, CASE (equivalent as well), TRAILING_SLASH, DOUBLE_ENCODING, NORMALIZATION, NON_LATIN_CASE, CONFUSABLE (look alike, and are two DOIs), DISTINCT, or INVALID.',
    ),
  explanation: z.string().describe('The relation in a sentence.'),
  a: Side,
  b: Side,
});

export const compareDois = defineTool({
  name: 'compare_dois',
  title: 'Compare two DOIs',
  description: `Says whether two inputs, each in any form, name the same DOI, and how they nearly do where they do not: the case of letters, a slash at the end, characters that look alike, encoded twice. Asks no directory: that two DOIs differ does not mean that they lead to different works.
Example: {"a": "10.123/ABC", "b": "https://doi.org/10.123/AbC"} gives {"equivalent": true, "relation": "CASE"}.`,
  input: z.object({ a: DoiInput, b: DoiInput }),
  output: Comparison,
  async call({ a, b }, { gateway, signal }) {
    const { doiEquivalence } = await dataOf<{ readonly doiEquivalence: z.infer<typeof Comparison> }>(
      gateway.ask,
      COMPARE_DOIS,
      { a, b },
      signal,
    );
    const { relation, explanation } = doiEquivalence;
    return { structured: doiEquivalence, text: `${relation}: ${explanation}` };
  },
});
