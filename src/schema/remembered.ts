// Marks types whose objects graphql/remembered-items.ts may remember: equal keys, equal fields.

export interface RememberedExtensions {
  readonly rememberBy?: (source: never) => string | null;
}

/**
 * Options of an object type whose fields depend only on one text, and on the directory's answer for this text. `by`
 * returns the text of an object, or null if the object must not be remembered.
 */
export function remembered<Source>(by: (source: Source) => string | null): {
  extensions: { rememberBy: (source: Source) => string | null };
} {
  return { extensions: { rememberBy: by } };
}
