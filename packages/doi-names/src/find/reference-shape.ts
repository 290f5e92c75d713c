// Decides whether an item of a list is a reference, or a heading, a caption, a step or a sentence. The patterns come from
// the common styles: APA, Vancouver, IEEE, Chicago, ACM, GB/T 7714.

/**
 * Where a text stands. `citation`: in an element or a command for references. `references`: below the heading of a list of
 * references. `bracketed`: after a label such as `[1]`. `list`: in another list. `paragraph`: without a label.
 */
export type EntryContext = 'citation' | 'references' | 'bracketed' | 'list' | 'paragraph';

const MIN_LETTERS = 20;
/** A word of Chinese or Japanese has about two signs. */
const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu;
const MAX_CHARACTERS = 1_500;

const PARTICLE =
  "(?:(?:van|von|vom|de|den|der|del|della|des|di|da|do|dos|du|la|le|el|al|ten|ter|zu|zur|af|av)\\s|d['’])";
const FAMILY = `${PARTICLE}{0,3}\\p{Lu}[\\p{L}\\p{M}'’-]{1,40}(?:\\s\\p{Lu}[\\p{L}\\p{M}'’-]{1,40}){0,2}`;
const YEAR = '(?:1[5-9]|20)\\d\\d[a-z]?';

/** The family name first, then initials: `Smith, J.`. Few other texts begin like this, so it counts as a detail. */
const FAMILY_FIRST = new RegExp(
  `^${FAMILY},\\s?(?:\\p{Lu}\\.[\\s-]?){1,4}(?:[,&(;:“"]|(?:and|und|et|y)\\s|\\p{Lu}\\p{L})`,
  'u',
);

/** How a reference can begin. */
const PEOPLE: readonly RegExp[] = [
  // `Smith, J.`, `van der Berg, Jan`
  new RegExp(`^${FAMILY},\\s?\\p{Lu}[\\p{L}\\p{M}.'’-]`, 'u'),
  // `Smith J,`, `Smith JA et al`, `Smith et al`
  new RegExp(`^${FAMILY}(?:\\set\\sal|\\s\\p{Lu}{1,3}(?:[,.;:]|\\set\\sal|\\sand\\s|\\s&\\s|\\s\\())`, 'u'),
  // `J. Smith,`, `J.-P. Sartre.`
  new RegExp(
    `^(?:\\p{Lu}\\p{Ll}?\\.[\\s-]?){1,4}${FAMILY}(?=[,.:]|\\set\\sal|\\s(?:and|&|und|et|y)\\s\\p{Lu}|\\s\\()`,
    'u',
  ),
  // `Jane Q. Doe and`, `Jane Doe. 2020.`
  new RegExp(
    `^\\p{Lu}\\p{Ll}{1,20}(?:\\s\\p{Lu}\\.?){0,3}\\s${FAMILY}(?:,\\s(?:and\\s)?\\p{Lu}|\\s(?:and|&)\\s\\p{Lu}|[.,]\\s\\(?${YEAR})`,
    'u',
  ),
  // `王伟, 李娜.`
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{2,10}[,，、.．。;；]/u,
  // `World Health Organization (2020).`
  new RegExp(
    `^\\p{Lu}[\\p{L}\\p{M}.'’-]{1,40}(?:,?\\s(?:\\p{Lu}[\\p{L}\\p{M}.'’-]{0,40}|&|of|for|on|in|the|and|de|des|du|la|y|e|et|für|und|der)){0,12}\\s\\(${YEAR}[^()]{0,20}\\)[.,:]`,
    'u',
  ),
];

const DATED = new RegExp(
  `(?<![\\d./-])${YEAR}(?![\\d/]|-\\d)|\\b(?:in press|forthcoming|im Druck|im Erscheinen|sous presse|en prensa|n\\.\\s?d\\.|o\\.\\s?J\\.)`,
  'i',
);

/** Volume and issue, pages, and the form of the year: `12(3)`, `45–67`, `pp. 4`, `vol. 3`, `2020;12`, `12:345`, `(2020).` */
const NUMBERS: readonly RegExp[] = [
  /\b\d{1,4}\s?\(\d{1,4}(?:[-–/]\d{1,4})?\)/,
  /\b(?!(?:1[5-9]|20)\d\d[-–—])[A-Za-z]?\d{1,5}\s?[-–—]{1,2}\s?[A-Za-z]?\d{1,5}\b/,
  /\b(?:pp?|S|str|с|стр|art)\.\s?[A-Za-z]?\d/,
  /\b(?:vol|no|nr|num|bd|band|iss|issue|volume|jg)\b\.?\s?\d/i,
  /\d;\s?\d/,
  /\b\d{1,4}(?:\s?\(\d{1,4}\))?:\s?[A-Za-z]?\d/,
  new RegExp(`\\(${YEAR}[^()]{0,20}\\)[.,:]`),
];

/** What else a reference has besides people and a year. */
const OTHER_DETAILS: readonly RegExp[] = [
  /\bet\s?al\b|[等ら][,，.．]/,
  /(?:^|[.,;”"]\s)In:?\s\p{Lu}/u,
  /\b(?:arXiv|ISBN|ISSN|PMID|PMC\d)/i,
  /\b(?:eds?|hrsg|hg)\.|\[[JMDCR](?:\/OL)?\]/i,
  // a title in quotation marks
  /["“„«‘][^"“”„«»]{10,250}["”“»’]/,
  /\b(?:Press|Verlag|Publish\p{L}+|Universit\p{L}+|Springer|Elsevier|Wiley|Oxford|Cambridge|Harvard|Princeton|MIT|Routledge|Sage|Penguin|Brill|Gruyter|Suhrkamp|Gallimard|Addison|Pearson|McGraw|Academic|Thesis|Dissertation|Proceedings|Proc|Conference|Journal|Lett|Rev|Trans|Zeitschrift|Revue|Revista|Rivista|Annals|Bulletin|Review|Nature|Science|Lancet)\b/u,
  // a place and a publisher: `Berlin: Springer`
  /\b\p{Lu}\p{L}{2,20}(?:,\s\p{Lu}\p{L}+)?:\s\p{Lu}\p{L}/u,
  // a title between full stops, not after an initial
  /(?<![\s.(-]\p{Lu}|^\p{Lu})[.?!”"]\s\p{L}[^.?!\n]{14,250}[.?!,]/u,
];

/** Captions, chapters, steps and notes. */
const NO_REFERENCE =
  /^(?:fig(?:ure|\.|s\b)|tab(?:le|\.)|abb(?:ildung|\.)|tabelle|image|plate|chart|chapter|kapitel|section|appendix|anhang|note|example|step|version|v\d|see\b|cf\b|https?:)/i;

/** `As Smith, J. (2020) showed` is a sentence. */
const SENTENCE = new RegExp(`^[^()]{0,200}\\(${YEAR}[^()]{0,20}\\)\\s\\p{Ll}{2}`, 'u');

/** The number of details that a text with people and a year needs. */
const NEEDED_DETAILS = { references: 1, bracketed: 1, list: 2, paragraph: 2 };

/** @param text without the markup and the label of the item */
export function isReference(text: string, place: EntryContext): boolean {
  const letters = text
    .slice(0, MAX_CHARACTERS)
    .replace(IDEOGRAPH, 'aaa')
    .replace(/[^\p{L}]/gu, '').length;
  if (place === 'citation') return letters > 0;
  if (letters < MIN_LETTERS || text.length > MAX_CHARACTERS || NO_REFERENCE.test(text)) return false;
  const numbers = NUMBERS.filter((number) => number.test(text)).length;
  const others = [FAMILY_FIRST, ...OTHER_DETAILS].filter((detail) => detail.test(text)).length;
  const details = numbers + others;
  if (place === 'paragraph' && numbers === 0) return false;
  if (place !== 'references' && SENTENCE.test(text)) return false;
  const hasPeople = beginsWithPeople(text);
  const isDated = DATED.test(text);
  if (isDated && hasPeople) return details >= NEEDED_DETAILS[place];
  // A reference can lack a year, or begin with an institution instead of people. Then it needs two details.
  return place === 'references' && (isDated || hasPeople) && details >= 2;
}

export function beginsWithPeople(text: string): boolean {
  return PEOPLE.some((people) => people.test(text));
}

/** Removes the markup of an item: tags, emphasis, links, commands of TeX. Makes white space a single space. */
export function plainWords(markup: string): string {
  return markup
    .replace(/<[^<>]{0,300}>?/g, ' ')
    .replace(/\\(?:newblock|emph|textit|textbf|textsc|url|href|em|it|bf)\b\s?/g, '')
    .replace(/\[([^[\]]{0,300})\]\([^()\s]{0,300}\)/g, '$1')
    .replace(/&(?:amp|#38);/g, '&')
    .replace(/~/g, ' ')
    .replace(/[*_`{}]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const MAX_SHOWN_CHARACTERS = 90;

/** The words of an entry for a message. */
export function firstWords(words: string): string {
  return words.length <= MAX_SHOWN_CHARACTERS ? words : `${words.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}
