import { z } from 'zod';
import { COMPARE_DOIS } from '../tool-documents.ts';
import { DoiInput, dataOf, defineTool } from './tool.ts';

/** A type alias, because an interface would not fit the record of `SideFields`. */
type Side = {
  readonly doi: { readonly name: string; readonly canonicalName: string; readonly url: string } | null;
  readonly problem: { readonly code: string; readonly message: string } | null;
};

interface ComparisonData {
  readonly doiEquivalence: {
    /** null if a side is no DOI */
    readonly equivalent: boolean | null;
    readonly relation: string;
    readonly explanation: string;
    readonly a: Side;
    readonly b: Side;
  };
}

/** The schema of `Side`. It lists no members, because the list of tools must be short. */
const SideFields = z.record(z.string(), z.unknown());

export const compareDoisTool = defineTool({
  name: 'compare_dois',
  title: 'Compare two DOIs',
  description: `Says whether two inputs in any form name the same DOI, and how they differ: letter case, a slash at the end, look-alike characters, double encoding. Makes no look-up.
Example: {"a": "10.123/ABC", "b": "doi:10.123/AbC"} gives {"equivalent": true, "relation": "CASE"}.`,
  input: z.strictObject({ a: DoiInput, b: DoiInput }),
  output: z.object({
    equivalent: z.boolean().optional().describe('Missing if an input is no DOI.'),
    relation: z.string().describe('IDENTICAL, CASE, CONFUSABLE, DISTINCT, INVALID, …'),
    explanation: z.string(),
    a: SideFields,
    b: SideFields,
  }),
  async call(inputs, context) {
    const { doiEquivalence: structured } = await dataOf<ComparisonData>(context, COMPARE_DOIS, inputs);
    return { structured, text: `${structured.relation}: ${structured.explanation}` };
  },
});
