// Runs one call of `doi`, from the arguments to the exit code. Tests pass their own streams, clock and gateway.

import { setTimeout } from 'node:timers/promises';
import { safeText } from '../../safe-text.ts';
import { NoGatewayError } from '../gateway-client/send-operation.ts';
import {
  type Command,
  type CommandCall,
  type CommandEnvironment,
  type Gateway,
  type InputStream,
  LOOK_UP_FAILED,
  OUTPUT_CLOSED,
  POSITIVE_ANSWER,
  UsageError,
  WRONG_CALL,
} from './command.ts';
import { type GatewayChoice, openGateway } from './open-gateway.ts';
import { createOutput, type Output, OutputClosedError, type OutputStream } from './output.ts';
import { parseArguments, unknownCommand } from './parse-arguments.ts';

/** The commands in the order of --help. `doi` imports only the command that it runs, so that it starts fast. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  show: async () => (await import('./show-command.ts')).showCommand,
  cite: async () => (await import('./cite-command.ts')).citeCommand,
  forms: async () => (await import('./forms-command.ts')).formsCommand,
  compare: async () => (await import('./compare-command.ts')).compareCommand,
  find: async () => (await import('./find-command.ts')).findCommand,
  check: async () => (await import('./check-command.ts')).checkCommand,
  match: async () => (await import('./match-command.ts')).matchCommand,
  bulk: async () => (await import('./bulk-command.ts')).bulkCommand,
  mcp: async () => (await import('./mcp-command.ts')).mcpCommand,
  completion: async () => (await import('./completion-command.ts')).completionCommand,
};

function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()));
}

export interface DoiProcess {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: CommandEnvironment;
  /** The process aborts this signal with an Interruption. */
  readonly signal: AbortSignal;
  now(): number;
  /** for tests: replaces the gateway that the options and the environment select */
  readonly openGateway?: (choice: GatewayChoice, environment: CommandEnvironment) => Promise<Gateway>;
  /** for tests: replaces the timer */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A signal ended the call. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly exitCode: number;

  /** @param signalNumber 2 for SIGINT */
  constructor(signalNumber: number) {
    super('Interrupted.');
    this.exitCode = 128 + signalNumber;
  }
}

/** Resolves with the exit code. Rejects only for a bug in `doi`. */
export async function runDoi(args: readonly string[], doiProcess: DoiProcess): Promise<number> {
  const closed = new AbortController();
  const isPlain = Boolean(doiProcess.environment['NO_COLOR']) || doiProcess.environment['TERM'] === 'dumb';
  const stdout = createOutput(doiProcess.stdout, {
    colours: doiProcess.stdout.isTTY === true && !isPlain,
    content: 'data',
    onClosed: () => closed.abort(new OutputClosedError('The output is closed.')),
  });
  const stderr = createOutput(doiProcess.stderr, {
    colours: doiProcess.stderr.isTTY === true && !isPlain,
    content: 'messages',
  });
  const signal = AbortSignal.any([doiProcess.signal, closed.signal]);
  signal.addEventListener('abort', () => doiProcess.stdin.destroy(), { once: true });
  try {
    return await runCommand(args, doiProcess, { stdout, stderr, signal });
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error;
    if (reason instanceof OutputClosedError) return OUTPUT_CLOSED;
    if (reason instanceof Interruption) return reason.exitCode;
    if (!(error instanceof UsageError || error instanceof NoGatewayError)) throw error;
    const message = error instanceof UsageError ? error.message : safeText(error.message);
    await stderr.write(`doi: ${message}\n`);
    return error instanceof UsageError ? WRONG_CALL : LOOK_UP_FAILED;
  }
}

async function runCommand(
  args: readonly string[],
  doiProcess: DoiProcess,
  { stdout, stderr, signal }: Pick<CommandCall, 'stdout' | 'stderr' | 'signal'>,
): Promise<number> {
  const [first, ...others] = args;
  if (first === '--version' || first === '-V') {
    const { VERSION } = await import('../../app/version.ts');
    return succeedWith(stdout, `doi ${VERSION}\n`);
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const command = first === 'help' && others[0] !== undefined ? await commandOf(others) : null;
    const text = await helpOf(command);
    if (first !== undefined) return succeedWith(stdout, text);
    await stderr.write(text);
    return WRONG_CALL;
  }
  const command = await commandOf(args);
  const { operands, options, wantsHelp } = parseArguments(command, others);
  if (wantsHelp) return succeedWith(stdout, await helpOf(command));

  const choice = options as unknown as GatewayChoice;
  let opened: Promise<Gateway> | undefined;
  const open = doiProcess.openGateway ?? openGateway;
  try {
    return await command.run({
      operands,
      options,
      stdin: doiProcess.stdin,
      environment: doiProcess.environment,
      stdout,
      stderr,
      gateway() {
        opened ??= open(choice, doiProcess.environment);
        return opened;
      },
      now: doiProcess.now,
      wait: (ms) => (doiProcess.wait ?? pause)(ms, signal),
      signal,
      commands: allCommands,
    });
  } finally {
    const gateway = await opened?.catch(() => undefined);
    await gateway?.close();
  }
}

async function commandOf(args: readonly string[]): Promise<Command> {
  const [name = ''] = args;
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return load();
  throw await unknownCommand(args, Object.keys(COMMANDS));
}

async function helpOf(command: Command | null): Promise<string> {
  const { helpOfAll, helpOfCommand } = await import('./help.ts');
  return command === null ? helpOfAll(await allCommands()) : helpOfCommand(command);
}

async function succeedWith(output: Output, text: string): Promise<number> {
  await output.write(text);
  return POSITIVE_ANSWER;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal });
}
