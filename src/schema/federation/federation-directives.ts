// The directives that make the schema a subgraph of a federated one: https://specs.apollo.dev/federation/v2.6

import { DirectiveLocation, GraphQLDirective, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';

/** What `@key` and its like may be put on here; for Pothos. */
export type FederationDirectives = {
  key: { locations: 'OBJECT'; args: { fields: string } };
  shareable: { locations: 'FIELD_DEFINITION'; args: Record<string, never> };
  inaccessible: { locations: 'FIELD_DEFINITION'; args: Record<string, never> };
  tag: { locations: 'FIELD_DEFINITION'; args: { name: string } };
  link: { locations: 'SCHEMA'; args: { url: string; import: string[] } };
};

/** For a field that other subgraphs may also have, because its value is the same everywhere. */
export const SHAREABLE = { shareable: {} };

/** On a field that asks the directory: a catalog may leave these out of a variant of its API. */
export const ASKS_DIRECTORY = { tag: { name: 'directory' } };

const IMPORTED = ['@inaccessible', '@key', '@shareable', '@tag'];

/** The versions of Federation: the usual one, and the first that has `@cost`. */
export const FEDERATION_LINK = {
  usual: { url: 'https://specs.apollo.dev/federation/v2.6', import: IMPORTED },
  withCosts: {
    url: 'https://specs.apollo.dev/federation/v2.9',
    import: ['@cost', ...IMPORTED, '@listSize'].sort(),
  },
};

/** Each is a way for other subgraphs to refer to an object. */
export function keys(...fields: readonly string[]) {
  return fields.map((field) => ({ name: 'key' as const, args: { fields: field } }));
}

const required = new GraphQLNonNull(GraphQLString);

/** The definitions, so that the printed schema is complete. */
export const FEDERATION_DIRECTIVES: readonly GraphQLDirective[] = [
  new GraphQLDirective({
    name: 'key',
    description: 'The fields by which other subgraphs refer to an object of this type.',
    args: { fields: { type: required, description: 'One of the keys: `canonicalName`.' } },
    isRepeatable: true,
    locations: [DirectiveLocation.OBJECT],
  }),
  new GraphQLDirective({
    name: 'shareable',
    description: 'Other subgraphs may also resolve this field.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
  }),
  new GraphQLDirective({
    name: 'inaccessible',
    description: 'Between subgraphs only: clients of the federated API do not see it.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
  }),
  new GraphQLDirective({
    name: 'tag',
    description: 'A mark to choose fields by. What asks the DOI directory is tagged `directory`.',
    args: { name: { type: required, description: 'The mark: `directory`.' } },
    isRepeatable: true,
    locations: [DirectiveLocation.FIELD_DEFINITION],
  }),
  new GraphQLDirective({
    name: 'link',
    description: 'The specification that the directives above are taken from.',
    args: {
      url: { type: required, description: 'Its address, which holds its version.' },
      import: { type: new GraphQLList(GraphQLString), description: 'The imported elements.' },
    },
    isRepeatable: true,
    locations: [DirectiveLocation.SCHEMA],
  }),
];
