// The GraphQL documents that the inspector sends, from the module that sends them.

const { DOCUMENTS } = (await import(new URL('../../../inspector/queries.js', import.meta.url).href)) as {
  readonly DOCUMENTS: readonly string[];
};

/** Each exactly as the page sends it, for who lets in known documents alone. */
export function inspectorDocuments(): string[] {
  return [...DOCUMENTS];
}
