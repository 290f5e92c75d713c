/** How many characters must be inserted, removed, replaced or swapped with a neighbour to turn one word into the other. */
export function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const distanceAt = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        distanceAt(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        distanceAt(i - 1, j) + 1,
        distanceAt(i, j - 1) + 1,
        isSwapped ? distanceAt(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return distanceAt(a.length, b.length);
}
