// Marks the object types that graphql/remembered-items.ts can remember: two objects with the same key have the same
// fields.

export interface RememberedExtensions {
  readonly rememberBy?: (source: never) => string | null;
}

/**
 * Options of an object type whose fields depend only on a key, and on the directory's answer for this key.
 * @param keyOf returns the key of an object; null if the object must not be remembered
 */
export function remembered<Source>(keyOf: (source: Source) => string | null): {
  extensions: { rememberBy: (source: Source) => string | null };
} {
  return { extensions: { rememberBy: keyOf } };
}
