// What a command of `doi` is: what --help says of it, which options it takes, what it does.

import type { Readable } from 'node:stream';
import type { Ask } from '../gateway-client/ask.ts';
import type { Output } from './output.ts';

// The exit codes of `doi`. What 0 and 1 mean beyond this, each command says.

export const FINE = 0;
/** An answer, and not the one that was hoped for: a name is absent, two names are not one. */
export const OTHERWISE = 1;
/** The call cannot be understood, or a file cannot be read. */
export const USAGE = 2;
/** Some of it could not be asked: nothing follows from that. */
export const COULD_NOT_ASK = 3;
/** A fault of `doi` itself (EX_SOFTWARE of sysexits.h), which must not look like an answer. */
export const FAULT = 70;
/** Nobody reads the output any more: as of a program that ends by SIGPIPE. */
export const OUTPUT_CLOSED = 141;

/** An option that takes no value. */
export interface Flag {
  readonly type: 'flag';
  /** one letter */
  readonly short?: string;
  readonly meaning: string;
}

export interface ValueOption {
  readonly type: 'value';
  readonly short?: string;
  /** what stands for the value in --help: `FILE` */
  readonly placeholder: string;
  readonly meaning: string;
  /** the only values there are; parsing refuses others, and shells complete them */
  readonly choices?: readonly string[];
  /** may be given several times */
  readonly several?: true;
  /** names a file, which shells complete */
  readonly isFile?: true;
}

/** By name, without the dashes. */
export type OptionTable = Readonly<Record<string, Flag | ValueOption>>;

type OptionValue<O> = O extends Flag
  ? boolean
  : O extends { readonly several: true }
    ? readonly string[]
    : string | undefined;

/** A flag is false and a list is empty where the option is not given. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: OptionValue<Table[Name]>;
};

/** What a command may use: nothing of it is the process, so that tests bring their own. */
export interface CommandCall<Table extends OptionTable = OptionTable> {
  readonly operands: readonly string[];
  readonly options: OptionValues<Table>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** what was asked for: words, or JSON Lines */
  readonly stdout: Output;
  /** everything else: notes, progress, summaries, errors */
  readonly stderr: Output;
  /**
   * The gateway that the options name: see GATEWAY_OPTIONS. Opened when it is first asked for, and closed when the
   * command is over. Rejects with a UsageError where the configuration cannot be used.
   */
  gateway(): Promise<Gateway>;
  /** milliseconds since 1970 */
  now(): number;
  /** Rejects with the signal's reason when that comes first. */
  wait(ms: number): Promise<void>;
  /** aborted by Ctrl-C, and when nobody reads standard output any more */
  readonly signal: AbortSignal;
  /** all there are, this one among them */
  commands(): Promise<readonly Command[]>;
}

export interface Example {
  /** as typed into a shell */
  readonly command: string;
  readonly meaning: string;
}

export interface Command {
  readonly name: string;
  /** one line in `doi --help` */
  readonly summary: string;
  /** as in the first line of --help: `NAME…`, `[FILE…]`, or empty */
  readonly operands: string;
  /** paragraphs of --help */
  readonly about: readonly string[];
  readonly options: OptionTable;
  readonly examples: readonly Example[];
  /** what each exit code means, beside those of all commands (2, 130, 141) */
  readonly exitCodes: Readonly<Record<number, string>>;
  /** Resolves with the exit code. Rejects with a UsageError for what the caller has to mend. */
  run(call: CommandCall): Promise<number>;
}

/** A command whose `run` knows the options of its own table. */
export function defineCommand<const Table extends OptionTable>(
  command: Omit<Command, 'options' | 'run'> & {
    readonly options: Table;
    run(call: CommandCall<Table>): Promise<number>;
  },
): Command {
  // The options that `run` gets are those that were parsed by this very table.
  return command as unknown as Command;
}

/** For the person at the keyboard, who can mend it: said without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options of every command that asks a directory. */
export const GATEWAY_OPTIONS = {
  gateway: {
    type: 'value',
    placeholder: 'URL',
    meaning: 'Ask a running gateway, such as https://doi.example.org. Its API key comes from DOI_API_KEY.',
  },
  live: {
    type: 'flag',
    meaning: 'Ask the live DOI system, https://doi.org. Needs your mail address in CONTACT.',
  },
} as const satisfies OptionTable;

// The gateway that a command asks: in this very process, or a running one.

export interface Gateway {
  readonly ask: Ask;
  /** look-ups that one operation may make; null where a running gateway has not said */
  readonly maxLookups: number | null;
  /** the directory is the bundled sample, of which nothing follows for names that are not in it */
  readonly isSample: boolean;
  /** which directory answers: its base URLs, or `embedded`; the same text for the same directory */
  readonly directory: string;
  close(): Promise<void>;
}
