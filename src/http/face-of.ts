/** Whose a path is: GraphQL's, one of the REST face's three, or that of a page beside them (`other`). */
export type Face = 'graphql' | 'handles' | 'doiRA' | 'redirect' | 'other';

/** The first that matches counts: every name but these is one to redirect. */
const FACES: readonly (readonly [RegExp, Face])[] = [
  [/^\/graphql\/?$/, 'graphql'],
  [/^\/api\//i, 'handles'],
  [/^\/(?:doiRA|ra)\//i, 'doiRA'],
  [/^\/(?:$|(?:graphiql|inspector)\/|(?:healthz|readyz|metrics|inspector)$)/, 'other'],
];

export function faceOf(path: string): Face {
  return FACES.find(([pattern]) => pattern.test(path))?.[1] ?? 'redirect';
}
