import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './index.ts';

/** The schema as schema.graphql holds it: sorted, so that a change shows as a change. */
export function printSortedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
