// The output of a command: a stream with colours and a status line. The program that reads the stream can close it early.

import type { Writable } from 'node:stream';
import { safeText } from '../../safe-text.ts';

const MIN_INTERVAL_MS = 250;
const CLEAR = '\r\u001B[K';

export class StatusLine {
  readonly #stderr: Output;
  readonly #now: () => number;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isShown = false;

  constructor(stderr: Output, now: () => number) {
    this.#stderr = stderr;
    this.#now = now;
  }

  /**
   * Shows a text at most four times a second, and only on a terminal.
   * @param text called if the text is shown. It must not return text from outside `doi`.
   */
  show(text: () => string): void {
    const time = this.#now();
    if (!this.#stderr.isTerminal || time - this.#shownAt < MIN_INTERVAL_MS) return;
    this.#shownAt = time;
    this.#isShown = true;
    this.#stderr.stream.write(`${CLEAR}${text().slice(0, this.#stderr.columns - 1)}`);
  }

  /** Removes the line. Call this before other output to the terminal. */
  async clear(): Promise<void> {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#shownAt = Number.NEGATIVE_INFINITY;
    await this.#stderr.writeStyled(CLEAR);
  }
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Colour = keyof typeof CODES;

export function coloured({ colours }: Pick<Output, 'colours'>, colour: Colour, text: string): string {
  return colours ? `\u001B[${CODES[colour]}m${text}\u001B[0m` : text;
}

export interface Output {
  /**
   * Removes control characters if the stream is a terminal, or if the content is messages. Resolves when the stream accepts
   * more text. Rejects with an OutputClosedError if the reading program has closed the stream.
   */
  write(text: string): Promise<void>;
  /** Writes the text unchanged. The caller must first pass all text from outside `doi` through `safeText`. */
  writeStyled(text: string): Promise<void>;
  /** Writes bytes of a file. On a terminal, writes the text instead, without control characters. */
  writeFile(bytes: Uint8Array, text: string): Promise<void>;
  readonly isTerminal: boolean;
  readonly colours: boolean;
  /** the characters in a line of the terminal; 80 if the stream is no terminal */
  readonly columns: number;
  /** the raw stream: for escape sequences, and for protocols between programs */
  readonly stream: Writable;
}

/** The reading program closed the stream, as in `doi find … | head`. `doi` does not report this, because it is no fault. */
export class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Characters that a terminal needs for lines and columns. */
const LAYOUT = '\n\t';

interface OutputOptions {
  readonly colours: boolean;
  /** `messages`: `write` removes control characters even for files and pipes, because a terminal can show them later. */
  readonly content: 'data' | 'messages';
  /** called once, when the reading program has closed the stream */
  readonly onClosed?: () => void;
}

export function createOutput(stream: OutputStream, options: OutputOptions): Output {
  const { colours, content, onClosed = () => {} } = options;
  const isTerminal = stream.isTTY === true;
  const isFiltered = isTerminal || content === 'messages';
  let failure: Error | null = null;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (failure !== null) return;
    failure = error.code === 'EPIPE' ? new OutputClosedError('The reader has closed the output.') : error;
    onClosed();
  });
  return {
    stream,
    isTerminal,
    colours,
    get columns() {
      return stream.columns ?? 80;
    },
    write: (text) => writeAll(isFiltered ? safeText(text, LAYOUT) : text),
    writeStyled: writeAll,
    writeFile: (bytes, text) => writeAll(isFiltered ? safeText(text, LAYOUT) : bytes),
  };

  async function writeAll(content: string | Uint8Array): Promise<void> {
    if (failure !== null) throw failure;
    if (stream.write(content)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        stream.off('drain', done).off('error', done).off('close', done);
        resolve();
      };
      stream.on('drain', done).on('error', done).on('close', done);
    });
    if (failure !== null) throw failure;
  }
}

/** Example: `2 aliases` */
export function countText(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns a command line of `doi` that a user can paste into a shell. Example: `doi show '10.1000/a(b)'` */
export function shellCommand(...args: readonly string[]): string {
  return ['doi', ...args.map(quotedForShell)].join(' ');
}

function quotedForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
