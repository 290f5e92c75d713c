// Writes text as LaTeX. bibtex, biber and other programs read it back as the same text.

/**
 * Braces are commands, because bibtex counts a brace even after a backslash. `<` and `>` are commands, because LaTeX's
 * original font encoding shows other characters for them.
 */
const COMMANDS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '&': '\\&',
  '%': '\\%',
  '#': '\\#',
  _: '\\_',
  $: '\\$',
};

/** A character with a command, or the first of two characters that LaTeX joins to a dash, a quotation mark or `¿`. */
const SPECIAL = /[\\{}<>~^&%#_$]|([-',`])(?=\1)|[?!](?=`)/g;

export function latexText(text: string): string {
  return text.replace(SPECIAL, (character) => COMMANDS[character] ?? `${character}{}`);
}

/** For the elements of `titleHtml`. */
const MARKUP: Readonly<Record<string, string>> = {
  '<i>': '\\textit{',
  '<b>': '\\textbf{',
  '<sub>': '\\textsubscript{',
  '<sup>': '\\textsuperscript{',
};
const TAG = /(<\/?(?:i|b|sub|sup)>)/;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Keeps the markup and the capitals. @param html the `titleHtml` of a work: balanced elements without attributes */
export function latexTitle(html: string): string {
  const latex: string[] = [];
  let isSpaced = true;
  for (const piece of html.split(TAG)) {
    if (TAG.test(piece)) {
      latex.push(MARKUP[piece] ?? '}');
      continue;
    }
    const text = piece.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
    // At most one space stands beside an element, as in the plain text of the title.
    const words = isSpaced ? text.trimStart() : text;
    latex.push(latexWithCapitals(words, latex.length === 0));
    if (text !== '') isSpaced = text.endsWith(' ');
  }
  return latex.join('');
}

const WORD_OR_OTHER = /[\p{L}\p{M}\p{N}]+(?:[-'’.][\p{L}\p{M}\p{N}]+)*|[^\p{L}\p{M}\p{N}]+/gu;
const CAPITAL = /[\p{Lu}\p{Lt}]/u;

/**
 * BibTeX styles put titles in lower case, so braces protect each word with a capital.
 * @param isFirst whether the title begins with this text: styles keep the first letter of a title
 */
export function latexWithCapitals(text: string, isFirst = true): string {
  return text.replace(WORD_OR_OTHER, (word, at: number) => {
    const beginsTitle = isFirst && at === 0;
    return CAPITAL.test(beginsTitle ? word.slice(1) : word) ? `{${word}}` : latexText(word);
  });
}
