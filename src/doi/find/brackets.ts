// Tracks the open brackets of a name, to decide whether a closing bracket belongs to the name.

const OPENER_OF: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

export interface UnclosedBracket {
  readonly opener: string;
  /** of the name before it */
  readonly length: number;
}

export class Brackets {
  /** by opening bracket: lengths of the name before each that is still open */
  readonly #open = new Map<string, number[]>();

  open(opener: string, length: number): void {
    const lengths = this.#open.get(opener);
    if (lengths) lengths.push(length);
    else this.#open.set(opener, [length]);
  }

  isOpen(opener: string): boolean {
    return (this.#open.get(opener)?.length ?? 0) > 0;
  }

  /** Whether the closing bracket closes one that is open. */
  close(closer: string): boolean {
    return this.#open.get(OPENER_OF[closer] ?? '')?.pop() !== undefined;
  }

  /** The first of each kind that nothing closed, in a name of this length. */
  unclosed(nameLength: number): UnclosedBracket[] {
    return [...this.#open].flatMap(([opener, [length]]) =>
      length === undefined || length > nameLength ? [] : [{ opener, length }],
    );
  }
}
