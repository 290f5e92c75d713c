// Builds the schema. Each imported file adds its types and queries to the builder.

import './doi/doi.ts';
import './handle/handle.ts';
import './doi/encoding-fields.ts';
import './doi/doi-character.ts';
import './doi/parsed-doi.ts';
import './doi/doi-equivalence.ts';
import './doi/doi-match.ts';
import './doi/short-doi-type.ts';
import './works/doi-metadata.ts';
import './works/doi-history.ts';
import './works/doi-references.ts';
import './works/reference-match.ts';
import './works/people-and-dates.ts';
import './works/work-details.ts';
import './agency/registration-agency.ts';
import './agency/doi-prefix.ts';
import './agency/doi-directory.ts';
import './federation/entities.ts';
import './federation/subgraph.ts';
import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import { DIRECTIVES, FEDERATION_LINK } from './federation/federation-directives.ts';

export const schema: GraphQLSchema = builder.toSchema({
  directives: DIRECTIVES,
  schemaDirectives: { link: FEDERATION_LINK.usual },
});
