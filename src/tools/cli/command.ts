// The interface of a command of `doi`: its help, its options, its exit codes, and the function that runs it.

import type { Readable } from 'node:stream';
import type { SendOperation } from '../gateway-client/send-operation.ts';
import type { Output } from './output.ts';

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
  /** the name of the value in --help, such as `FILE` */
  readonly placeholder: string;
  readonly meaning: string;
  /** the possible values. Parsing refuses other values, and shells complete these values. */
  readonly choices?: readonly string[];
  /** The user can give the option several times. */
  readonly several?: true;
  /** the value is a file, which shells complete */
  readonly isFile?: true;
}

/** Options by name, without the dashes. */
export type OptionTable = Readonly<Record<string, Flag | ValueOption>>;

type OptionValue<O> = O extends Flag
  ? boolean
  : O extends { readonly several: true }
    ? readonly string[]
    : O extends { readonly choices: readonly (infer Choice)[] }
      ? Choice | undefined
      : string | undefined;

/** An option that the user did not give is false for a flag, an empty list for `several`, else undefined. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: OptionValue<Table[Name]>;
};

export type CommandEnvironment = Readonly<Record<string, string | undefined>>;

/** Standard input. It is destroyed when the call is aborted, so that no command waits for a terminal. */
export type InputStream = Readable & { readonly isTTY?: boolean };

/** All inputs and outputs of a command. A command does not use `process`, so tests can replace every part. */
export interface CommandCall<Table extends OptionTable = OptionTable> {
  readonly operands: readonly string[];
  readonly options: OptionValues<Table>;
  readonly stdin: InputStream;
  readonly environment: CommandEnvironment;
  /** the result: text or JSON Lines */
  readonly stdout: Output;
  /** everything else: notes, progress, summaries, errors */
  readonly stderr: Output;
  /**
   * The gateway that the user selects with GATEWAY_OPTIONS. It is opened at first use and closed after the command.
   * Rejects with a UsageError if the configuration is invalid.
   */
  gateway(): Promise<Gateway>;
  /** milliseconds since 1970 */
  now(): number;
  /** Rejects with the signal's reason if the signal is aborted during the wait. */
  wait(ms: number): Promise<void>;
  /** aborted by Ctrl-C, and when the reader closes standard output */
  readonly signal: AbortSignal;
  /** all commands, including this one */
  commands(): Promise<readonly Command[]>;
}

export interface Command {
  readonly name: string;
  /** one line in `doi --help` */
  readonly summary: string;
  /** the operands in the first line of --help: `NAME…`, `[FILE…]`, or empty */
  readonly operands: string;
  /** paragraphs of --help */
  readonly about: readonly string[];
  readonly options: OptionTable;
  /** `command`: as typed into a shell */
  readonly examples: readonly { readonly command: string; readonly meaning: string }[];
  /** meanings of the exit codes, except the common ones (2, 130, 141) */
  readonly exitCodes: Readonly<Record<number, string>>;
  /** Resolves with the exit code. Rejects with a UsageError if the user can correct the call. */
  run(call: CommandCall): Promise<number>;
}

/** Gives `run` the types of the command's options. */
export function defineCommand<const Table extends OptionTable>(
  command: Omit<Command, 'options' | 'run'> & {
    readonly options: Table;
    run(call: CommandCall<Table>): Promise<number>;
  },
): Command {
  // The cast is safe, because `parseArguments` uses this table for the options of `run`.
  return command as unknown as Command;
}

// Exit codes.

export const POSITIVE_ANSWER = 0;

/** A negative answer: a name is absent, or two names differ. */
export const NEGATIVE_ANSWER = 1;

/** The call is wrong, or a file cannot be read. */
export const WRONG_CALL = 2;

/** Some look-ups failed. */
export const LOOK_UP_FAILED = 3;

/** A bug in `doi`. The code is EX_SOFTWARE of sysexits.h, so that it does not look like an answer. */
export const INTERNAL_FAULT = 70;

/** The program that reads the output has closed the output. Shells use the same code after SIGPIPE. */
export const OUTPUT_CLOSED = 141;

/** An error that the user can correct. `doi` prints its message without a stack, and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options of every command with look-ups. */
export const GATEWAY_OPTIONS = {
  gateway: {
    type: 'value',
    placeholder: 'URL',
    meaning: 'Use a running gateway, such as https://doi.example.org. Its API key comes from DOI_API_KEY.',
  },
  live: {
    type: 'flag',
    meaning: 'Use the live DOI system, https://doi.org. Needs your mail address in CONTACT.',
  },
} as const satisfies OptionTable;

/** @param call a command with an option, such as `doi show --live …` */
export function sampleNote(call: string): string {
  return `the bundled sample has only a few records. To use the live DOI system:  CONTACT=you@example.org ${call}`;
}

/** The gateway of a command. The gateway runs in this process, or as a server. */
export interface Gateway {
  readonly send: SendOperation;
  /** the largest number of look-ups in one operation; null if unknown */
  readonly maxLookups: number | null;
  /** whether the directory is the bundled sample. A name that the sample does not have might still exist. */
  readonly isSample: boolean;
  close(): Promise<void>;
}
