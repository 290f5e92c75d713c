// The text that LaTeX would print, for the few commands that entries of BibTeX should have.

const COMMANDS: Readonly<Record<string, string>> = {
  textbackslash: '\\',
  textbraceleft: '{',
  textbraceright: '}',
  textless: '<',
  textgreater: '>',
  textasciitilde: '~',
  textasciicircum: '^',
  textit: '',
  textbf: '',
  textsubscript: '',
  textsuperscript: '',
};
const LIGATURES: Readonly<Record<string, string>> = {
  '---': '—',
  '--': '–',
  '``': '“',
  "''": '”',
  ',,': '„',
  '<<': '«',
  '>>': '»',
  '?`': '¿',
  '!`': '¡',
};
const TOKEN = /\\([A-Za-z]+) *|\\(.)|---|--|``|''|,,|<<|>>|[?!]`|./gsu;

/** Throws if LaTeX would not print a character as text. Braces group, `~` is a space. */
export function readLatex(latex: string): string {
  return latex.replace(TOKEN, (token, command?: string, character?: string) => {
    if (command !== undefined) return COMMANDS[command] ?? refuse(token, latex);
    if (character !== undefined) return '&%#_$'.includes(character) ? character : refuse(token, latex);
    if ('{}'.includes(token)) return '';
    if (token === '~') return ' ';
    return '&%#_$^\\'.includes(token) ? refuse(token, latex) : (LIGATURES[token] ?? token);
  });
}

function refuse(token: string, latex: string): never {
  throw new Error(`LaTeX would not print ${token} of ${latex}`);
}
