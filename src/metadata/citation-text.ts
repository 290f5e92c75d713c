// Converts a citation to plain text. Some services send HTML: `Grimpe, B., &amp; Jirotka, M. <i>The role of …</i>`.
// https://github.com/datacite/datacite/issues/686

import { readMarkedUpLine } from './title-markup.ts';

/** Plain text without markup, entities and control characters. Keeps line feeds between lines that have text. */
export function citationText(citation: string): string {
  return citation
    .split(/\r\n?|\n/)
    .map((line) => readMarkedUpLine(line).text)
    .filter((line) => line !== '')
    .join('\n');
}
