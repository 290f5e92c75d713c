// A CSV file as people have them: titles with commas and line ends, names twice, lines that cannot be read.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** The same file for the same number. */
export async function writeSampleFile(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('id,DOI,title\r\n');
  for (let from = 0; from < rows; from += 1_000) {
    let text = '';
    for (let row = from; row < Math.min(rows, from + 1_000); row += 1) text += sampleRow(row);
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

function sampleRow(row: number): string {
  if (row % 5_003 === 7) return `${row},"10.5555/bulk-${row}\r\n`;
  if (row % 1_009 === 5) return `${row},978-3-16-148410-0,"A book, and no DOI"\r\n`;
  if (row % 211 === 3) return `${row},10.5555/BULK-${row - 3},"The one before, ""shouted"""\r\n`;
  if (row % 97 === 1) return `${row},https://doi.org/10.5555/bulk-${row},"Two\r\nlines"\r\n`;
  return `${row},10.5555/bulk-${row},"Über dies, and that"\r\n`;
}
