// The schema: every noun's file adds its types and queries to the builder.

import { type GraphQLSchema, specifiedDirectives } from 'graphql';
import { builder } from './builder.ts';
import './scalars.ts';
import './doi.ts';
import './doi-encodings.ts';
import './parsed-doi.ts';
import './equivalence.ts';
import './registration-agency.ts';
import './doi-directory.ts';
import './entities.ts';
import './subgraph.ts';
import { FEDERATION_DIRECTIVES, LINK } from './federation-directives.ts';

export const schema: GraphQLSchema = builder.toSchema({
  directives: [...specifiedDirectives, ...FEDERATION_DIRECTIVES],
  schemaDirectives: LINK,
});
