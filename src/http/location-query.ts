/**
 * A query as it came, with its `?`, for a Location header: what may not stand there is percent-encoded.
 * Empty where there is none.
 */
export function locationQuery(query: string): string {
  if (query === '') return '';
  return `?${query.replace(/[^\x21-\x7E]/gu, (character) => encodeURIComponent(character.toWellFormed()))}`;
}
