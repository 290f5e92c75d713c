// Which objects are the same whenever they come again: declared beside the type, used by graphql/remembered-items.ts.

export interface RememberedExtensions {
  readonly rememberBy?: (source: never) => string | null;
}

/**
 * Options of an object type whose fields follow from one text, and from what the directory says of it.
 * `by` gives that text; null for an object that is not to be remembered.
 */
export function remembered<Source>(by: (source: Source) => string | null): {
  extensions: { rememberBy: (source: Source) => string | null };
} {
  return { extensions: { rememberBy: by } };
}
