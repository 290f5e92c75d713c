// The DOI names in a text: the gateway finds them, so that this app needs no expression of its own.

import type { Client } from '@urql/core';
import { graphql } from './graphql.ts';
import type { ListEntry } from './row.ts';

export const findDoisQuery = graphql(`
  query FindDois($text: String!) {
    findDois(text: $text) {
      text
      repaired
      doi {
        id
      }
    }
  }
`);

/**
 * In the order of the text, as often as they stand there. `text` is not asked for again: what is `repaired` could not
 * be read from it alone, and `id` always can. Rejects with words for people where there is no answer.
 */
export async function findDois(
  client: Client,
  text: string,
  signal: AbortSignal,
): Promise<readonly ListEntry[]> {
  const { data, error } = await client.query(findDoisQuery, { text }, { fetchOptions: { signal } });
  if (!data?.findDois) {
    const refusal = error?.graphQLErrors[0]?.message;
    throw new Error(
      refusal ?? `The gateway cannot be reached: ${error?.networkError?.message ?? 'no answer'}.`,
    );
  }
  // The last item is null where the text has more names than one request may find: the names before it stay.
  return data.findDois
    .filter((match) => match !== null)
    .map(({ text: written, repaired, doi }) => ({ input: doi.id, written, repaired }));
}
