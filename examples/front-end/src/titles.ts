// What the names identify, and what became of it: asked for once the directory has answered: titles come from others, and more slowly.

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
    updates {
      outcome
      source
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

type Answer = ResultOf<typeof titleFragment>;
export type Updates = NonNullable<Answer['updates']>;
export interface Work {
  readonly metadata: NonNullable<Answer['metadata']>;
  /** null: not known */
  readonly updates: Updates | null;
}

/** The deferred part of a row: a work, null where its agency has none, undefined until it has come. */
export function workOf(doi: NonNullable<NonNullable<Titles['dois']>[number]>): Work | null | undefined {
  const answer = readFragment(titleFragment, doi);
  if (!('metadata' in answer)) return undefined;
  const { metadata, updates } = answer;
  return metadata && { metadata, updates };
}
