// Every command of `doi`, in the order of --help. Each is loaded when it is asked for: a process starts often.

import type { Command } from './command.ts';

export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {};

export function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()));
}
