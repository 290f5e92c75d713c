// Where names lead whose content is gone for good: pages of agencies that say so. No page is ever fetched.

export interface Tombstone {
  /** the beginning of the URL, without scheme and `www.` */
  readonly address: string;
  /** for people: what it says */
  readonly meaning: string;
}

/** docs/command-line.md lists them. A publisher's own pages for what it withdrew have no common form. */
export const TOMBSTONES: readonly Tombstone[] = [
  { address: 'crossref.org/_deleted-doi', meaning: "Crossref's page for DOIs that were deleted" },
  { address: 'crossref.org/deleted_doi', meaning: "Crossref's page for DOIs that were deleted, until 2019" },
];

/** Null for any other URL. */
export function tombstoneAt(url: string): Tombstone | null {
  if (!URL.canParse(url)) return null;
  const { host, pathname } = new URL(url);
  const address = `${host.replace(/^www\./, '')}${pathname}`.toLowerCase();
  return TOMBSTONES.find((tombstone) => address.startsWith(tombstone.address)) ?? null;
}
