// The directives that make the schema a subgraph of a federated schema: https://specs.apollo.dev/federation/v2.6

import { DirectiveLocation, GraphQLDirective, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';

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

/** Marks a field that needs a look-up. A catalog can build a contract, a variant of its API, without these fields. */
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

const required = new GraphQLNonNull(GraphQLString);

/** The definitions of the directives. The printed schema contains them. */
export const FEDERATION_DIRECTIVES: readonly GraphQLDirective[] = [
  new GraphQLDirective({
    name: 'key',
    description: 'The fields by which other subgraphs refer to an object of this type.',
    args: { fields: { type: required, description: 'The fields of the key: `canonicalName`.' } },
    isRepeatable: true,
    locations: [DirectiveLocation.OBJECT],
  }),
  new GraphQLDirective({
    name: 'shareable',
    description: 'Other subgraphs can also resolve this field.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
  }),
  new GraphQLDirective({
    name: 'inaccessible',
    description: 'Only subgraphs use this field. Clients of the federated API do not see it.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
  }),
  new GraphQLDirective({
    name: 'tag',
    description:
      'A label by which a catalog of schemas selects fields. Fields that need a look-up have the tag `directory`.',
    args: { name: { type: required, description: 'The name of the tag: `directory`.' } },
    isRepeatable: true,
    locations: [DirectiveLocation.FIELD_DEFINITION],
  }),
  new GraphQLDirective({
    name: 'link',
    description: 'The specification that defines the imported directives.',
    args: {
      url: { type: required, description: 'The address of the specification, with its version.' },
      import: { type: new GraphQLList(GraphQLString), description: 'The imported elements.' },
    },
    isRepeatable: true,
    locations: [DirectiveLocation.SCHEMA],
  }),
];
