/**
 * Pages on which an agency says that the content of a name is gone. `address`: the beginning of the URL, without scheme and
 * `www.`. `meaning`: for people. docs/command-line.md lists these pages. Publishers have such pages too, but the addresses
 * of their pages have no common form.
 */
export const TOMBSTONES = [
  { address: 'crossref.org/_deleted-doi', meaning: "Crossref's page for DOIs that were deleted" },
  { address: 'crossref.org/deleted_doi', meaning: "Crossref's page for DOIs that were deleted, until 2019" },
];

/** The tombstone at a URL; null if the URL is not a tombstone. */
export function tombstoneAt(url: string) {
  if (!URL.canParse(url)) return null;
  const { host, pathname } = new URL(url);
  const address = `${host.replace(/^www\./, '')}${pathname}`.toLowerCase();
  return TOMBSTONES.find((tombstone) => address.startsWith(tombstone.address)) ?? null;
}
