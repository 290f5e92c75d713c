// Where a command writes: a stream with a place in line, and an end that may come early.

import type { Writable } from 'node:stream';
import { safeText } from '../../safe-text.ts';

// How far a command is: one line on a terminal, written over again and again.

const EVERY_MS = 250;
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

  /** Words of our own alone. Shown four times a second at most, and on a terminal alone. */
  async show(text: string): Promise<void> {
    const time = this.#now();
    if (!this.#stderr.isTerminal || time - this.#shownAt < EVERY_MS) return;
    this.#shownAt = time;
    this.#isShown = true;
    await this.#stderr.writeStyled(`${CLEAR}${text.slice(0, this.#stderr.columns - 1)}`);
  }

  /** Before anything else is written to the terminal. */
  async clear(): Promise<void> {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#shownAt = Number.NEGATIVE_INFINITY;
    await this.#stderr.writeStyled(CLEAR);
  }
}

// Colours of a terminal, where there are any.

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Colour = keyof typeof CODES;

/** The text as it is where the output has no colours. */
export function coloured({ colours }: Pick<Output, 'colours'>, colour: Colour, text: string): string {
  return colours ? `\u001B[${CODES[colour]}m${text}\u001B[0m` : text;
}

export interface Output {
  /**
   * Writes the text as it is to a file or a pipe, and without anything that steers to a terminal. Resolves when there
   * is room for more. Rejects with an OutputClosedError when the other end of the output is closed.
   */
  write(text: string): Promise<void>;
  /** Writes text with escape sequences of our own. Its foreign parts must have gone through `safeText`. */
  writeStyled(text: string): Promise<void>;
  /** whether to colour, to show progress and to be brief */
  readonly isTerminal: boolean;
  readonly colours: boolean;
  /** characters in a line of the terminal; 80 elsewhere */
  readonly columns: number;
  /** without any of this: for our own escape sequences, and for protocols between programs */
  readonly stream: Writable;
}

/** As after `doi find … | head`: no fault, and nothing to be told. */
export class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
}

type TerminalStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Characters that lines and columns of data need on a terminal too. */
const LAYOUT = '\n\t';

interface OutputOptions {
  readonly colours: boolean;
  /** `words` are made harmless in files and pipes too: these are logs, or shown on a terminal later */
  readonly content: 'data' | 'words';
  /** called once, when the other end is closed */
  readonly onClosed?: () => void;
}

export function createOutput(stream: TerminalStream, options: OutputOptions): Output {
  const { colours, content, onClosed = () => {} } = options;
  const isTerminal = stream.isTTY === true;
  const isFiltered = isTerminal || content === 'words';
  let failure: Error | null = null;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (failure !== null) return;
    failure = error.code === 'EPIPE' ? new OutputClosedError('Nobody reads the output any more.') : error;
    onClosed();
  });
  return {
    stream,
    isTerminal,
    colours,
    get columns() {
      return stream.columns ?? 80;
    },
    write: (text) => writeStyled(isFiltered ? safeText(text, LAYOUT) : text),
    writeStyled,
  };

  async function writeStyled(text: string): Promise<void> {
    if (failure !== null) throw failure;
    if (stream.write(text)) return;
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
