// The one operation of this app, and what it answers.

import { type ResultOf, readFragment } from 'gql.tada';
import { graphql } from './graphql.ts';

/** What has to be asked of the directory. */
const answerFragment = graphql(`
  fragment Answer on DOI {
    record {
      status
      stale
      fetchedAt
      message
    }
    redirect {
      url
      chosenBy
    }
    registrationAgency {
      name
      title
      homepageUrl
    }
    warnings {
      code
      message
      repaired {
        name
      }
    }
  }
`);

/**
 * A whole list at once. What is computed from the names alone comes first; each row's answer follows by
 * itself, as soon as the directory has given it.
 */
export const lookUpQuery = graphql(
  `
    query LookUp($inputs: [String!]!) {
      dois(inputs: $inputs) {
        id
        name
        ...Answer @defer
      }
      doiEquivalenceClasses(inputs: $inputs) {
        classes {
          doi {
            id
            canonicalName
          }
          members {
            index
          }
        }
      }
    }
  `,
  [answerFragment],
);

export type LookUp = ResultOf<typeof lookUpQuery>;
export type LookedUpDoi = NonNullable<NonNullable<LookUp['dois']>[number]>;
export type Answer = ResultOf<typeof answerFragment>;
export type Choice = NonNullable<Answer['redirect']>['chosenBy'];

/** The deferred part of a row; null until it has come. */
export function answerOf(doi: LookedUpDoi): Answer | null {
  const answer = readFragment(answerFragment, doi);
  return 'record' in answer ? answer : null;
}
