// Inserts the spaces that Crossref's REST API loses around markup: "a specialised<i>Neisseria</i>genomic resource".
// https://github.com/CrossRef/rest-api-doc/issues/112

const ITALIC_OR_BOLD = /<(?:jats:)?(i|em|italic|b|bold|strong)>([^<]*)<\/(?:jats:)?\1>/gu;
/** A space is missing in "decays of<mml:math>…</mml:math>mesons", but not in "<mml:math>…</mml:math>th". */
const FORMULA = '(?:(?:jats|mml|m):)?(?:math|inline-formula)';
const BEFORE_FORMULA = new RegExp(`(?<=\\p{Ll}{2})(?=<${FORMULA}[\\s>])`, 'gu');
const AFTER_FORMULA = new RegExp(`(?<=</${FORMULA}>)(?=\\p{Ll}{2})(?!(?:th|st|nd|rd)(?!\\p{L}))`, 'gu');
/** A space is missing in "CO<sub>2</sub>emissions", but not in "H<sub>2</sub>O" and "H<sub>2</sub>ase". */
const AFTER_SCRIPT = /(?<=<\/(?:jats:)?(?:sub|sup|inf)>)(?=\p{Ll}{4})/gu;

/** `Neisseria`. Other texts can be a part of a word in italics: "<i>lac</i>Z", "per<i>form</i>ance". */
const PROPER_NAME = /^\p{Lu}\p{Ll}{4,}$/u;

/** Adds a space only where two words touch, never inside a word. */
export function withLostSpaces(source: string): string {
  return source
    .replace(ITALIC_OR_BOLD, (element: string, _tag: string, content: string, start: number) => {
      const before = source.slice(Math.max(0, start - 2), start);
      const after = source.slice(start + element.length, start + element.length + 2);
      const isPhrase = isSeveralWords(content);
      const isName = PROPER_NAME.test(content);
      const lacksSpaceBefore = isPhrase ? /\p{Ll}$/u.test(before) : isName && /^\p{Ll}{2}$/u.test(before);
      const lacksSpaceAfter = (isPhrase || lacksSpaceBefore) && /^\p{Ll}{2}$/u.test(after);
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
