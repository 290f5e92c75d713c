// Targets that say a work has been taken away. They are known by their address: no target is ever fetched.

const TOMBSTONES: readonly RegExp[] = [
  // Crossref's, the old one and the one in use.
  /^https?:\/\/(?:www\.)?crossref\.org\/deleted_DOI\.html(?:[?#]|$)/i,
  /^https?:\/\/(?:www\.)?crossref\.org\/_deleted-doi(?:[/?#]|$)/i,
];

export function isTombstone(target: string): boolean {
  return TOMBSTONES.some((tombstone) => tombstone.test(target));
}
