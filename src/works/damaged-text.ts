// Repairs texts that other systems damaged: misread UTF-8, and lost spaces around markup.

/** Windows-1252 from 0x80 to 0x9f. Programs read the five undefined bytes as control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(WINDOWS_1252, (character, index) => [character, 0x80 + index]),
);

const FOLLOWING_BYTE = `[\\u0080-\\u00bf${WINDOWS_1252}]`;
/** In UTF-8, a character outside ASCII has two to four bytes. Finds these bytes if each was read as a character. */
const MISREAD = new RegExp(
  `[Â-ß]${FOLLOWING_BYTE}|[à-ï]${FOLLOWING_BYTE}{2}|[ð-ô]${FOLLOWING_BYTE}{3}`,
  'gu',
);
/** Correct text can have these characters after É, Ú and similar letters: "CAFÉ–BAR", "SOCIÉTÉ\u00a0:", "Úšovice". */
const ALSO_IN_CORRECT_TEXT = new Set('\u00a0\u00ad¡©ª«®°²³´·¹º»¿‘’“”•–—…‹›™ŠšŒœŽžŸƒ');

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Some texts were misread more than once. */
const MAX_REPAIRS = 2;

/**
 * Repairs UTF-8 that was read as Latin-1 or Windows-1252: "MÃ¼ller". Changes a text only if all its characters outside
 * ASCII look misread, and at least one is certainly misread.
 * @param isDamaged the text belongs to a list with a certainly misread text, so no certain character is needed
 */
export function repairMisreadUtf8(text: string, { isDamaged = false } = {}): string {
  let repaired = text;
  for (let repairs = 0; repairs < MAX_REPAIRS; repairs += 1) {
    const isMisread = isDamaged && repairs === 0 ? looksMisread(repaired) : isCertainlyMisread(repaired);
    if (!isMisread) break;
    const bytes = Uint8Array.from(repaired, (character) => BYTES.get(character) ?? character.charCodeAt(0));
    try {
      repaired = decoder.decode(bytes);
    } catch {
      break;
    }
  }
  return repaired;
}

export function isCertainlyMisread(text: string): boolean {
  if (!looksMisread(text)) return false;
  return Array.from(text.matchAll(MISREAD)).some(({ 0: misread, index }) => {
    const [lead = '', ...following] = misread;
    const isAfterCapital = /\p{Lu}$/u.test(text.slice(Math.max(0, index - 1), index));
    if ('ÂÃ'.includes(lead) && !isAfterCapital) return true;
    return following.some((character) => !ALSO_IN_CORRECT_TEXT.has(character));
  });
}

/** Whether all characters outside ASCII can be misread bytes. */
function looksMisread(text: string): boolean {
  return /[Â-ô]/.test(text) && /^\p{ASCII}*$/u.test(text.replaceAll(MISREAD, ''));
}

const ITALIC_OR_BOLD = /<(?:jats:)?(i|em|italic|b|bold|strong)>([^<]*)<\/(?:jats:)?\1>/gu;
/** A space is missing in "decays of<mml:math>…</mml:math>mesons", but not in "<mml:math>…</mml:math>th". */
const FORMULA = '(?:(?:jats|mml|m):)?(?:math|inline-formula)';
/** The next word is in Title Case: "Term". The symbol of a chemical element, "CuO", is shorter. */
const TITLE_WORD = '\\p{Lu}\\p{Ll}{2}';
/** Short words in Title Case that are not also symbols of elements, as "In", "As" and "At" are. */
const SHORT_WORDS = '(?<!\\p{L})(?:Of|On|To|By|An|Is|Or|If|The)';
const BEFORE_FORMULA = new RegExp(`(?<=\\p{Ll}{2}|${SHORT_WORDS})(?=<${FORMULA}[\\s>])`, 'gu');
const AFTER_FORMULA = new RegExp(
  `(?<=</${FORMULA}>)(?=\\p{Ll}{2}|${TITLE_WORD})(?!(?:th|st|nd|rd)(?!\\p{L}))`,
  'gu',
);
/** A space is missing in "CO<sub>2</sub>emissions", but not in "H<sub>2</sub>O" and "H<sub>2</sub>ase". */
const AFTER_SCRIPT = /(?<=<\/(?:jats:)?(?:sub|sup|inf)>)(?=\p{Ll}{4}|\p{Lu}\p{Ll}{3})/gu;

const ENDS_WORD = /(?:\p{Ll}{2}|(?<!\p{L})\p{Lu}\p{Ll})$/u;
const TITLE_WORD_NEXT = new RegExp(`^${TITLE_WORD}`, 'u');
/** A proper name is a whole word: `Neisseria`. Other text in italics can be part of a word: "<i>lac</i>Z". */
const PROPER_NAME = /^\p{Lu}\p{Ll}{4,}$/u;

/**
 * Inserts the spaces that Crossref's REST API loses around markup: "a specialised<i>Neisseria</i>genomic resource". Adds a
 * space only where two words touch, never inside a word. https://github.com/CrossRef/rest-api-doc/issues/112
 */
export function restoreLostSpaces(source: string): string {
  return source
    .replace(ITALIC_OR_BOLD, (element: string, _tag: string, content: string, start: number) => {
      const before = source.slice(Math.max(0, start - 3), start);
      const after = source.slice(start + element.length, start + element.length + 3);
      const isPhrase = isSeveralWords(content);
      const isName = PROPER_NAME.test(content);
      const lacksSpaceBefore = isPhrase ? /[\p{Ll}:;,]$/u.test(before) : isName && ENDS_WORD.test(before);
      const lacksSpaceAfter = isPhrase
        ? /^\p{L}{2}/u.test(after)
        : (lacksSpaceBefore && /^\p{Ll}{2}/u.test(after)) || (isName && TITLE_WORD_NEXT.test(after));
      return `${lacksSpaceBefore ? ' ' : ''}${element}${lacksSpaceAfter ? ' ' : ''}`;
    })
    .replace(BEFORE_FORMULA, ' ')
    .replace(AFTER_FORMULA, ' ')
    .replace(AFTER_SCRIPT, ' ');
}

function isSeveralWords(content: string): boolean {
  return (
    /^[\p{L}\d]/u.test(content) && /[\p{L}.] \p{L}/u.test(content) && /[\p{L}\d.]$/u.test(content.slice(-2))
  );
}
