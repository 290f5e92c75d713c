// The text of a reference in one line, without the markup of lists and links. Names and addresses stay as written.

/** A longer reference is cut here: the gateway refuses it. */
const MAX_CHARACTERS = 100_000;

const BLOCK_TAG =
  /<\/?(?:li|ol|ul|ref|mixed-citation|element-citation|citation|bibl|biblstruct|div|p|span|label|tr|td|cite)\b[^<>]{0,1000}>/gi;
const ANCHOR = /<a\b[^<>]{0,1000}>|<\/a\s?>/gi;
const HREF = /\bhref\s?=\s?["']?([^"'\s<>]{1,500})/i;
const MARKDOWN_LINK = /\[([^[\]]{1,500})\]\(<?([^()\s<>]{1,300}(?:\([^()\s]{1,100}\)[^()\s<>]{0,100})?)>?\)/g;
const BIBITEM = /^\s{0,20}\\bibitem\b(?:\[[^\n]{0,300}?\](?=\{))?(?:\{[^{}\n]{0,100}\})?/;
const TEX_COMMAND = /\\(?:newblock|emph|textit|textbf|textsc|url|href|doi|em|it|bf)(?![a-z])\s?/gi;
/** Emphasis of Markdown around words. An underscore or an asterisk in a name is no emphasis. */
const EMPHASIS = /(?<![\p{L}\p{N}/._*-])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\p{N}/*_])/gu;
/** A word that the end of a line divided. `pre- and post-war` stays. */
const DIVIDED = /(\p{Ll})[-\u2010\u00AD]\n(?!(?:and|or|und|oder|et|ou|y|e|to)\b)(?=\p{Ll})/gu;
/** The end of a line after a slash or a hyphen in an address. */
const DIVIDED_ADDRESS = /((?:10\.\d{4,9}\/|https?:\/\/)\S{0,300}[/_.-])\n(?=\S)/g;

/** @param lines without their labels */
export function referenceText(lines: readonly string[]): string {
  const text = lines.join('\n').slice(0, MAX_CHARACTERS);
  return text
    .replace(BIBITEM, '')
    .replace(DIVIDED_ADDRESS, '$1')
    .replace(DIVIDED, '$1')
    .replace(ANCHOR, (tag) => linkedName(HREF.exec(tag)?.[1] ?? ''))
    .replace(BLOCK_TAG, ' ')
    .replace(MARKDOWN_LINK, (_, words: string, address: string) => `${words}${linkedName(address)}`)
    .replace(TEX_COMMAND, '')
    .replace(/\{([^{}]{0,2000})\}/g, '$1')
    .replace(EMPHASIS, '')
    .replace(/[\s\u200B\uFEFF]+/gu, ' ')
    .trim();
}

/** The address of a link, if it has a DOI name. */
function linkedName(address: string): string {
  return /10\.\d{4,9}(?:\/|%2f)/i.test(address) ? ` ${address} ` : '';
}
