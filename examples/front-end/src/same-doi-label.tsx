import type { SameDoi } from './same-doi.ts';

const COLOURS = 6;

/** Marks a row as one of several that are the same DOI, with the way to the first of them. */
export function SameDoiLabel({ group, first, size, index }: SameDoi & { readonly index: number }) {
  return (
    <span className="same-doi" data-colour={group % COLOURS}>
      Group {group}:{' '}
      {index === first ? (
        `first of ${size} rows`
      ) : (
        <>
          same DOI as <a href={`#row-${first + 1}`}>row {first + 1}</a>
        </>
      )}
    </span>
  );
}
