// The commands of `doi`, in the order of --help. `doi` imports only the command that it runs, so that it starts fast.

import type { Command } from './command.ts';

export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  show: async () => (await import('./show-command.ts')).showCommand,
  cite: async () => (await import('./cite-command.ts')).citeCommand,
  forms: async () => (await import('./forms-command.ts')).formsCommand,
  compare: async () => (await import('./compare-command.ts')).compareCommand,
  find: async () => (await import('./find-command.ts')).findCommand,
  check: async () => (await import('./check-command.ts')).checkCommand,
  bulk: async () => (await import('./bulk-command.ts')).bulkCommand,
  mcp: async () => (await import('./mcp-command.ts')).mcpCommand,
  completion: async () => (await import('./completion-command.ts')).completionCommand,
};

export function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()));
}
