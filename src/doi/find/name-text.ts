// The name as it is put together from the source: escapes decoded, breaks healed, and where each part of it stands.

interface Edit {
  /** the first length of the name that holds what was put in */
  readonly from: number;
  /** length of the name after the edit, and where in the source that is */
  readonly length: number;
  readonly source: number;
}

export class NameText {
  readonly #source: string;
  readonly #edits: Edit[] = [];
  #text: string;
  #keptFrom: number;
  /** kept by itself: to look into a text that is still put together would copy all of it each time */
  #last: string;

  /** @param prefix what stands before `at` in the source, decoded */
  constructor(source: string, prefix: string, at: number) {
    this.#source = source;
    this.#text = prefix;
    this.#keptFrom = at;
    this.#last = prefix.slice(-1);
    this.#edits.push({ from: 0, length: prefix.length, source: at });
  }

  /** What stands from `start` to `end` in the source is `replacement` in the name. */
  replace(start: number, end: number, replacement: string): void {
    this.#last = replacement === '' ? this.lastAt(start) : replacement.slice(-1);
    this.#text += this.#source.slice(this.#keptFrom, start) + replacement;
    this.#keptFrom = end;
    const length = this.#text.length;
    this.#edits.push({ from: replacement === '' ? length + 1 : length, length, source: end });
  }

  /** The length of the name when the source has been read up to `at`. */
  lengthAt(at: number): number {
    return this.#text.length + at - this.#keptFrom;
  }

  /** The last character of the name when the source has been read up to `at`. */
  lastAt(at: number): string {
    return at > this.#keptFrom ? (this.#source[at - 1] ?? '') : this.#last;
  }

  /** The whole name, when the source has been read up to `at`. */
  upTo(at: number): string {
    return this.#text + this.#source.slice(this.#keptFrom, at);
  }

  /** Where in the source the first `length` characters of the name end. */
  sourceEnd(length: number): number {
    let found = this.#edits.length - 1;
    while (found > 0 && (this.#edits[found]?.from ?? 0) > length) found -= 1;
    const edit = this.#edits[found];
    return edit === undefined ? 0 : edit.source + length - edit.length;
  }
}
