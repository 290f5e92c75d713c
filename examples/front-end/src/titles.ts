// What the names identify, asked for once the directory has answered: titles come from others, and more slowly.

import { type ResultOf, readFragment } from 'gql.tada';
import { graphql } from './graphql.ts';

const titleFragment = graphql(`
  fragment Title on DOI {
    metadata {
      title
      creators {
        name
      }
      issued {
        year
      }
    }
  }
`);

/** Each title comes by itself, as soon as its agency has given it. */
export const titlesQuery = graphql(
  `
    query Titles($inputs: [String!]!) {
      dois(inputs: $inputs) {
        id
        ...Title @defer
      }
    }
  `,
  [titleFragment],
);

export type Titles = ResultOf<typeof titlesQuery>;
export type Work = NonNullable<ResultOf<typeof titleFragment>['metadata']>;

/** The deferred part of a row: a work, null where its agency has none, undefined until it has come. */
export function workOf(doi: NonNullable<Titles['dois'][number]>): Work | null | undefined {
  const answer = readFragment(titleFragment, doi);
  return 'metadata' in answer ? answer.metadata : undefined;
}
