// A log that keeps its lines as objects.

import { createLog, type Log } from '../../src/log.ts';

export type LogLine = Readonly<Record<string, unknown>>;

export interface KeptLog {
  readonly log: Log;
  readonly lines: LogLine[];
  /** the lines of a message */
  of(message: string): LogLine[];
  /** resolves once the message has this many lines */
  until(message: string, count: number): Promise<LogLine[]>;
}

export function keepLog(level = 'info'): KeptLog {
  const lines: LogLine[] = [];
  let wake = () => {};
  const of = (message: string) => lines.filter(({ msg }) => msg === message);
  const write = (text: string) => {
    lines.push(JSON.parse(text) as LogLine);
    wake();
  };
  return {
    log: createLog(level, { write }),
    lines,
    of,
    async until(message, count) {
      while (of(message).length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return of(message);
    },
  };
}
