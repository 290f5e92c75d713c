// Where a command writes: a stream with a place in line, and an end that may come early.

import type { Writable } from 'node:stream';

export interface Output {
  /** Resolves when there is room for more. Rejects with an OutputClosedError when nobody reads any more. */
  write(text: string): Promise<void>;
  /** whether to colour, to show progress and to be brief */
  readonly isTerminal: boolean;
  readonly colours: boolean;
  /** characters in a line of the terminal; 80 elsewhere */
  readonly columns: number;
  /** for what writes by itself */
  readonly stream: Writable;
}

/** As after `doi find … | head`: no fault, and nothing to be told. */
export class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
}

type TerminalStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** @param onClosed called once, when nobody reads any more */
export function createOutput(stream: TerminalStream, colours: boolean, onClosed = () => {}): Output {
  let failure: Error | null = null;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (failure !== null) return;
    failure = error.code === 'EPIPE' ? new OutputClosedError('Nobody reads the output any more.') : error;
    onClosed();
  });
  return {
    stream,
    isTerminal: stream.isTTY === true,
    colours,
    get columns() {
      return stream.columns ?? 80;
    },
    async write(text) {
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
    },
  };
}
