// Texts in which the names are marked: `see ⟦10.1000/182⟧`, or `⟦10.1000/a&amp;b¦10.1000/a&b⟧` where the name is not what stands there.

export interface TrueName {
  readonly name: string;
  /** UTF-16 offsets of where the name stands in the text, without a label or an address before it */
  readonly start: number;
  readonly end: number;
}

export interface CorpusText {
  readonly text: string;
  readonly names: readonly TrueName[];
  /** what makes the text hard, or how it was made */
  readonly reason: string;
}

const MARK = /⟦([^¦⟧]*)(?:¦([^⟧]*))?⟧/g;

export function fromMarked(marked: string, reason: string): CorpusText {
  const names: TrueName[] = [];
  let text = '';
  let keptFrom = 0;
  for (const match of marked.matchAll(MARK)) {
    const [whole, source = '', name = source] = match;
    text += marked.slice(keptFrom, match.index);
    names.push({ name, start: text.length, end: text.length + source.length });
    text += source;
    keptFrom = match.index + whole.length;
  }
  return { text: text + marked.slice(keptFrom), names, reason };
}

/** Cases written by hand: `# a reason`, and a case a line below it. `⏎` is a line break, `⇥` a tab, `{U+00AD}` that character. */
export function readHardCases(file: string): CorpusText[] {
  let reason = '';
  const cases: CorpusText[] = [];
  for (const line of file.split('\n')) {
    if (line.startsWith('# ')) reason = line.slice(2);
    else if (line !== '') cases.push(fromMarked(withControls(line), reason));
  }
  return cases;
}

function withControls(line: string): string {
  return line
    .replaceAll('⏎', '\n')
    .replaceAll('⇥', '\t')
    .replace(/\{U\+([0-9A-F]{4})\}/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
}
