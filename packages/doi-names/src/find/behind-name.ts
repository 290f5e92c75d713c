// Text that can stand directly after a name and does not belong to the name. In the example of each row, the
// name is 10.1000/182.

export interface Ending {
  readonly example: string;
  /** where the ending was seen */
  readonly source: string;
  /** sticky: it must match where the name would end */
  readonly pattern: RegExp;
  /** only in an address */
  readonly isOfUrl?: true;
}

/** Words in brackets that pages put behind a name as links. */
const LINKS =
  'doi|aid|pii|pmid|pmc|pubmed|cross ?ref|google|scopus|medline|web of|isi|full|free|open|abstract|pdf|html|accessed|cited|internet|online|link';

/** The endings, by their first character. */
const BY_FIRST_CHARACTER: Readonly<Record<string, readonly Ending[]>> = {
  '[': [
    {
      example: '10.1000/182[PubMed]',
      source: 'PubMed Central, MEDLINE (`[doi]`)',
      pattern: new RegExp(`\\[(?:${LINKS})\\b[^\\[\\]]{0,30}\\]`, 'iy'),
    },
    { example: '10.1000/182[12]', source: 'Wikipedia, pandoc (`[^1]`)', pattern: /\[\^?\d{1,3}\](?![\w:])/y },
    { example: '[url]10.1000/182[/url]', source: 'BBCode', pattern: /\[\//y },
    { example: 'doi:10.1000/182[Smith]', source: 'AsciiDoc', pattern: /\[(?:\]|[A-Z][a-z]|[a-z]{2,} )/y },
    // The bracket of a SICI has a page before a colon: `82[897:PAGNOS]2.0.CO;2`.
    {
      example: 'https://doi.org/10.1000/182[1]',
      source: 'AsciiDoc',
      pattern: /\[(?![A-Z]{0,3}\d{1,6}:)/iy,
      isOfUrl: true,
    },
  ],
  '(': [
    {
      example: '10.1000/182(open access)',
      source: 'reference lists of publishers',
      pattern: new RegExp(`\\((?:${LINKS})\\b[^()]{0,30}\\)`, 'iy'),
    },
  ],
  '{': [
    {
      example: 'https://doi.org/10.1000/182{:target="_blank"}',
      source: 'kramdown, pandoc (`{.class}`, `{#id}`, `{key=value}`)',
      pattern: /\{(?:[:.#]\s?[A-Za-z.#]|[a-z-]{1,20}=)/y,
    },
  ],
  '&': [
    {
      example: 'rft_id=info:doi/10.1000/182&rft.genre=article',
      source: 'OpenURL and COinS (Zotero), Atypon (`linkout?doi=…&key=…`)',
      pattern: /&(?:amp;){0,2}[A-Za-z_][\w.-]{0,30}=/y,
    },
  ],
  ',': [
    {
      example: 'doi=10.1000/182,year=2020',
      source: 'BibTeX in one line; pandoc (`,@key`)',
      pattern: /,\s?(?:[a-z]{2,15}=|-?@|(?:pmc?id|arxiv|issn|isbn):)/iy,
    },
  ],
  ';': [
    {
      example: '[@doi:10.1000/182;@smith]',
      source: 'pandoc, Manubot',
      pattern: /;\s?(?:[a-z]{2,15}=|-?@|(?:pmc?id|arxiv|issn|isbn):|pmc\d)/iy,
    },
  ],
  '+': [
    {
      example: 'https://x.example/?term=10.1000%2F182+OR+cancer',
      source: 'searches of PubMed and Scopus',
      pattern: /\+(?:OR|AND|NOT)\+|\+(?:https?:|doi:|10\.\d{4})|\+(?:\[|%5B)/y,
      isOfUrl: true,
    },
  ],
  $: [
    {
      example: '=024  7\\$a10.1000/182$2doi',
      source: 'MARC (Library of Congress, MarcEdit)',
      pattern: /\$(?:2doi|[a-z0-9](?:http|[A-Z (]|$))/y,
    },
  ],
};

/** Signs of footnotes and links (`↩︎ ¶ † ↗ ® ™`), and the delimiter of MARC in print. */
const MARK =
  /^[\u01C2\u00A7\u00A9\u00AE\u00B6\u2020\u2021\u2122\u2190-\u21FF\u2300-\u23FF\u25A0-\u27BF\u2900-\u2BFF\uFFFC]|^\uFE0E|^\uFE0F|^\p{Extended_Pictographic}/u;

/** A name that continues after U+FFFD is damaged. Without the character, it would be another name. */
const DAMAGED_END = /^\uFFFD{1,3}(?![\p{L}\p{N}])/u;

export const ENDINGS: readonly Ending[] = Object.values(BY_FIRST_CHARACTER).flat();

/** Whether text that does not belong to the name begins at `at`, where `character` stands. */
export function endsBefore(text: string, at: number, character: string, isUrl: boolean): boolean {
  if (character > '\u007F') return MARK.test(character) || DAMAGED_END.test(text.slice(at, at + 4));
  const endings = BY_FIRST_CHARACTER[character];
  if (endings === undefined) return false;
  return endings.some(({ pattern, isOfUrl }) => {
    if (isOfUrl && !isUrl) return false;
    pattern.lastIndex = at;
    return pattern.test(text);
  });
}

/**
 * Labels that page texts glue to the end of a name: `10.1000/182PMID: 31978345`. Words that could end a name with
 * letters are labels only after a digit.
 */
const GLUED_LABEL =
  /(?<=[0-9a-z)])(?:PMC?ID|PubMed|Cross[Rr]ef|M(?:edline|EDLINE)|ISSN|ISBN|Google)$|(?<=[0-9])(?:Scopus|Epub|Accessed|Published|Received|Abstract|Keywords|URL|View|Web|Full|PDF|Available|Search|PMC[0-9]{5,8})$/;
const MAX_LABEL_LENGTH = 16;

/** The length of a label at the end of the text; 0 without one. */
export function gluedLabelLength(text: string): number {
  return GLUED_LABEL.exec(text.slice(-MAX_LABEL_LENGTH))?.[0].length ?? 0;
}
