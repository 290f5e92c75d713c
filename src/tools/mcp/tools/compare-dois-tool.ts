import { z } from 'zod';
import { COMPARE_DOIS } from '../tool-documents.ts';
import { DoiInput, dataOf, defineTool, type WithNulls } from './tool.ts';

/** The schema of one side. It lists no members, because the list of tools must be short. */
const Side = z.record(z.string(), z.unknown());

const Comparison = z.object({
  equivalent: z.boolean().optional().describe('Missing if an input is no DOI.'),
  relation: z.string().describe('IDENTICAL, CASE, CONFUSABLE, DISTINCT, INVALID, …'),
  explanation: z.string(),
  a: Side,
  b: Side,
});

interface ComparisonData {
  readonly doiEquivalence: WithNulls<z.infer<typeof Comparison>>;
}

export const compareDoisTool = defineTool({
  name: 'compare_dois',
  title: 'Compare two DOIs',
  description: `Says whether two inputs in any form name the same DOI, and how they differ: letter case, a slash at the end, look-alike characters, double encoding. Makes no look-up.
Example: {"a": "10.123/ABC", "b": "doi:10.123/AbC"} gives {"equivalent": true, "relation": "CASE"}.`,
  input: z.strictObject({ a: DoiInput, b: DoiInput }),
  output: Comparison,
  async call(inputs, context) {
    const { doiEquivalence: structured } = await dataOf<ComparisonData>(context, COMPARE_DOIS, inputs);
    return { structured, text: `${structured.relation}: ${structured.explanation}` };
  },
});
