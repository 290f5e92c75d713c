// Where in a document something is: looked for once a node, however many errors are about it.

import { type ASTNode, type DocumentNode, getLocation, type SourceLocation } from 'graphql';

const known = new WeakMap<ASTNode, SourceLocation>();
const originals = new WeakMap<ASTNode, ASTNode>();

/** [] where it is not known. */
export function locationsOf(nodes: readonly ASTNode[]): readonly SourceLocation[] {
  return nodes.flatMap((node) => {
    const original = originals.get(node) ?? node;
    const location =
      known.get(original) ??
      (original.loc ? getLocation(original.loc.source, original.loc.start) : undefined);
    if (location === undefined) return [];
    known.set(original, location);
    return location;
  });
}

/**
 * The same document, of whose nodes `locationsOf` alone knows where they are: an error of graphql-js looks for the
 * line of its node as soon as it is made.
 */
export function withoutLocations(document: DocumentNode): DocumentNode {
  return copyOf(document) as unknown as DocumentNode;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === 'loc' ? undefined : copyOf(member)]),
  );
  originals.set(copy as unknown as ASTNode, value as ASTNode);
  return copy;
}
