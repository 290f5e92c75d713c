import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/introspection.d.ts';

/** Types every document against ../../../schema.graphql. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { DateTime: string; ID: string; JSON: unknown };
}>();
