import { GraphQLDeferDirective, GraphQLStreamDirective } from '@graphql-tools/utils';
import { GraphQLSchema } from 'graphql';
import { schema } from '../../schema/index.ts';

/**
 * The schema with `@defer` and `@stream`, as it is served and introspected. They say how an answer is delivered,
 * not what there is to ask: schema.graphql and the schema itself are without them.
 */
export const servedSchema: GraphQLSchema = new GraphQLSchema({
  ...schema.toConfig(),
  directives: [...schema.getDirectives(), GraphQLDeferDirective, GraphQLStreamDirective],
});
