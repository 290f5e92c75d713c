import { GraphQLDeferDirective, GraphQLStreamDirective } from '@graphql-tools/utils';
import { GraphQLSchema } from 'graphql';

/**
 * The schema with `@defer` and `@stream`, as it is served and introspected. They say how an answer is delivered,
 * not what there is to ask: schema.graphql and the schema itself are without them.
 */
export function withIncrementalDelivery(schema: GraphQLSchema): GraphQLSchema {
  const directives = [...schema.getDirectives(), GraphQLDeferDirective, GraphQLStreamDirective];
  return new GraphQLSchema({ ...schema.toConfig(), directives });
}
