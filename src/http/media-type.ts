/** Whether a response is a whole GraphQL result, in either of its media types, and not a stream of parts. */
export function isGraphqlJson(headers: Headers): boolean {
  return /^application\/(?:graphql-response\+)?json\b/.test(headers.get('content-type') ?? '');
}
