// The schema builder: what every field can rely on. It defines no types.

import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DirectivesPlugin from '@pothos/plugin-directives';
import type { DirectoryDescription } from '../directory/directory.ts';
import { GatewayError } from '../errors.ts';
import type { RandomSource } from '../handle/choose-location.ts';
import type { AnswerLife } from '../loaders/answer-expiry.ts';
import type { Loaders } from '../loaders/loaders.ts';
import type { FederationDirectives } from './federation/federation-directives.ts';

export interface GatewayContext {
  readonly loaders: Loaders;
  /** is told by the loaders what they hand out, and by a resolver what else the answer depends on */
  readonly life: AnswerLife;
  readonly directory: DirectoryDescription;
  /** the largest cost an operation may have, in fields to resolve */
  readonly maxComplexity: number;
  /** for weighted choices among locations */
  readonly random: RandomSource;
}

const INPUT_COST = 25;
const CHARACTERS_A_UNIT = 64;

export const builder = new SchemaBuilder<{
  Context: GatewayContext;
  Directives: FederationDirectives;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    _Any: { Input: unknown; Output: unknown };
  };
}>({
  plugins: [ComplexityPlugin, DirectivesPlugin],
  // As @graphql-tools/utils, which prints them, expects directives.
  directives: { useGraphQLToolsUnorderedDirectives: true },
  defaultFieldNullability: false,
  complexity: {
    limit: ({ maxComplexity }) => ({ complexity: maxComplexity }),
    defaultListMultiplier: 5,
    complexityError: (_kind, { complexity, maxComplexity }) =>
      new GatewayError('LIMIT_EXCEEDED', {
        message: `The operation costs ${complexity}, more than the ${maxComplexity} that this gateway allows: an input costs ${INPUT_COST}, a field of it 1, and 20 where it asks the directory; the fields of an input of ${CHARACTERS_A_UNIT} characters or more count several times. Ask for fewer DOIs or fewer fields at once.`,
      }),
  },
});

builder.queryType({
  description:
    'Everything there is to ask about DOI names. What is computed from a name alone never fails; what asks the directory may.',
});

/**
 * What reading inputs costs: 25 each, since each may end in an error of its own; and every selection on
 * them is counted once for each input, and once more for each further 64 characters, since every encoding
 * form is as long as the name.
 */
export function costOfInputs(inputs: readonly string[]): { field: number; multiplier: number } {
  const units = inputs.reduce((sum, input) => sum + 1 + Math.floor(input.length / CHARACTERS_A_UNIT), 0);
  // Never 0: a limit cannot be compared with 0 times a selection of infinite cost.
  return { field: INPUT_COST * inputs.length, multiplier: Math.max(1, units) };
}
