// Converts a citation to plain text. Some services send HTML: `Grimpe, B., &amp; Jirotka, M. <i>The role of …</i>`.
// https://github.com/datacite/datacite/issues/686

import { readMarkedUpLine } from './title-markup.ts';

/** Plain text without markup, entities and control characters. Keeps line feeds between lines that have text. */
export function citationText(citation: string): string {
  return citation
    .split(/\r\n?|\n/)
    .map((line) => readMarkedUpLine(withFewTags(line)).text)
    .filter((line) => line !== '')
    .join('\n');
}

/** The parser needs long for deeply nested elements. A real citation has a few dozen tags. */
const MAX_TAGS = 2_000;
const TAG_BEGIN = /<|&(?:amp;){0,2}lt;/gi;

/** A line with more tags loses all tags, and every other `<` and `&`. */
function withFewTags(line: string): string {
  if ((line.match(TAG_BEGIN)?.length ?? 0) <= MAX_TAGS) return line;
  return line.replace(/<[^<>]{0,300}>/g, '').replace(/[<&]/g, '');
}
