// Text as LaTeX, in the spelling that bibtex, biber and other readers of BibTeX read back as the same text.

/**
 * Braces are commands, because bibtex also counts a brace behind a backslash. `<` and `>` are commands, because they
 * are other characters in LaTeX's first font encoding.
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

/** A character with a command, or the first of two that LaTeX makes one of: a dash, a quotation mark, `¿`. */
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

/**
 * A title with its markup and its capitals.
 * @param html as `titleHtml` of a work: with balanced elements, and without attributes
 */
export function latexTitle(html: string): string {
  const latex: string[] = [];
  let isSpaced = true;
  for (const piece of html.split(TAG)) {
    if (TAG.test(piece)) {
      latex.push(MARKUP[piece] ?? '}');
      continue;
    }
    const text = piece.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
    // Around an element stands one space at most, as in the plain text of the title.
    const words = isSpaced ? text.trimStart() : text;
    latex.push(latexWithCapitals(words, latex.length === 0));
    if (text !== '') isSpaced = text.endsWith(' ');
  }
  return latex.join('');
}

const WORD_OR_OTHER = /[\p{L}\p{M}\p{N}]+(?:[-'’.][\p{L}\p{M}\p{N}]+)*|[^\p{L}\p{M}\p{N}]+/gu;
const CAPITAL = /[\p{Lu}\p{Lt}]/u;

/**
 * Styles and readers of BibTeX put titles in lower case, so braces protect each word with a capital.
 * @param isFirst the title begins here: its first letter is safe
 */
export function latexWithCapitals(text: string, isFirst = true): string {
  return text.replace(WORD_OR_OTHER, (word, at: number) => {
    const beginsTitle = isFirst && at === 0;
    return CAPITAL.test(beginsTitle ? word.slice(1) : word) ? `{${word}}` : latexText(word);
  });
}
