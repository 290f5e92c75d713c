// Refuses files that are no tables of text, by their first bytes.

import { TableError } from './table-shape.ts';

/** For each kind of file that is not UTF-8 text: its first bytes as hexadecimal digits, and the message for the user. */
const OTHER_FILES: readonly (readonly [RegExp, string])[] = [
  [/^(?:fffe|feff|00|..00)/, 'The file is UTF-16. Save it as UTF-8, in Excel as "CSV UTF-8".'],
  [/^1f8b/, 'The file is compressed with gzip. Unpack it first.'],
  [/^504b0304/, 'The file is a spreadsheet or a ZIP archive. Save it as CSV, in Excel as "CSV UTF-8".'],
  [/^d0cf11e0/, 'The file is a spreadsheet. Save it as CSV, in Excel as "CSV UTF-8".'],
  [/^25504446/, 'The file is a PDF. Give a table or a list of names.'],
];

/** Throws a TableError. @param chunk the first bytes of the file */
export function refuseOtherFiles(chunk: Buffer): void {
  const start = chunk.subarray(0, 4).toString('hex');
  const found = OTHER_FILES.find(([sign]) => sign.test(start));
  if (found) throw new TableError(found[1]);
}
