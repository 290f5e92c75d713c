// The directives that make the schema a subgraph of a federated schema: https://specs.apollo.dev/federation/v2.6

import { buildSchema, DirectiveLocation, GraphQLDirective } from 'graphql';

/** The places and the arguments of each directive. Pothos needs this type. */
export type FederationDirectives = {
  key: { locations: 'OBJECT'; args: { fields: string } };
  shareable: { locations: 'FIELD_DEFINITION'; args: Record<string, never> };
  inaccessible: { locations: 'FIELD_DEFINITION'; args: Record<string, never> };
  tag: { locations: 'FIELD_DEFINITION'; args: { name: string } };
  link: { locations: 'SCHEMA'; args: { url: string; import: string[] } };
};

/** Marks a field that other subgraphs can have too, because its value is the same everywhere. */
export const SHAREABLE = { shareable: {} };

/** Marks a field that needs a look-up. A catalog can build a contract (a variant of its API) without these fields. */
export const NEEDS_LOOK_UP = { tag: { name: 'directory' } };

const IMPORTED = ['@inaccessible', '@key', '@shareable', '@tag'];

/** The imported version of Federation. Version 2.9 is the first with `@cost`, but older composers accept only 2.6. */
export const FEDERATION_LINK = {
  usual: { url: 'https://specs.apollo.dev/federation/v2.6', import: IMPORTED },
  withCosts: {
    url: 'https://specs.apollo.dev/federation/v2.9',
    import: ['@cost', ...IMPORTED, '@listSize'].sort(),
  },
};

/** Makes one `@key` for each field. Other subgraphs can refer to an object by any of these keys. */
export function keys(...fields: readonly string[]) {
  return fields.map((field) => ({ name: 'key' as const, args: { fields: field } }));
}

const DEFINITIONS = `
"""The fields by which other subgraphs refer to an object of this type."""
directive @key(
  """The fields of the key: \`canonicalName\`."""
  fields: String!
) repeatable on OBJECT

"""Other subgraphs can also resolve this field."""
directive @shareable on FIELD_DEFINITION

"""Only subgraphs use this field. Clients of the federated API do not see it."""
directive @inaccessible on FIELD_DEFINITION

"""A label by which a catalog of schemas selects fields. Fields that need a look-up have the tag \`directory\`."""
directive @tag(
  """The name of the tag: \`directory\`."""
  name: String!
) repeatable on FIELD_DEFINITION

"""The specification that defines the imported directives."""
directive @link(
  """The address of the specification, with its version."""
  url: String!
  """The imported elements."""
  import: [String]
) repeatable on SCHEMA
`;

/** The directives defined above, and GraphQL's own directives. schema.graphql contains only the directives above. */
export const DIRECTIVES = buildSchema(DEFINITIONS, { assumeValid: true }).getDirectives().map(asSpecified);

/**
 * Without the location DIRECTIVE_DEFINITION, which graphql-js adds to `@deprecated`. The specification (September 2025)
 * does not have this location, and clients with graphql-core fail on it when they read the introspection.
 */
function asSpecified(directive: GraphQLDirective): GraphQLDirective {
  const locations = directive.locations.filter(
    (location) => location !== DirectiveLocation.DIRECTIVE_DEFINITION,
  );
  return new GraphQLDirective({ ...directive.toConfig(), locations });
}
