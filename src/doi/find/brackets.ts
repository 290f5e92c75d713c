// Tracks the open brackets of a name, to decide whether a closing bracket belongs to the name.

const OPENER_OF: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

export interface UnclosedBracket {
  readonly opener: string;
  /** the number of characters of the name before the bracket */
  readonly lengthBefore: number;
}

export class Brackets {
  /** key: `(`; value: for each `(` that is still open, the number of characters of the name before it */
  readonly #open = new Map<string, number[]>();

  open(opener: string, lengthBefore: number): void {
    const lengths = this.#open.get(opener);
    if (lengths) lengths.push(lengthBefore);
    else this.#open.set(opener, [lengthBefore]);
  }

  isOpen(opener: string): boolean {
    return (this.#open.get(opener)?.length ?? 0) > 0;
  }

  /** False if no bracket of this kind is open. */
  close(closer: string): boolean {
    return this.#open.get(OPENER_OF[closer] ?? '')?.pop() !== undefined;
  }

  /** The first open bracket of each kind. Brackets after the first `nameLength` characters are ignored. */
  unclosed(nameLength: number): UnclosedBracket[] {
    return [...this.#open].flatMap(([opener, [lengthBefore]]) =>
      lengthBefore === undefined || lengthBefore > nameLength ? [] : [{ opener, lengthBefore }],
    );
  }
}
