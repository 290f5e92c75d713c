// `doi completion`: prints a script with which a shell completes commands, options and values.

import { defineCommand, UsageError } from './command.ts';
import { bashScript, fishScript } from './completion/completed-option.ts';
import { zshScript } from './completion/zsh-script.ts';
import { SUCCESS } from './exit-codes.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'print a script that completes doi in a shell',
  operands: 'bash|zsh|fish',
  about: [
    'Prints a script for the given shell. The script completes commands, options, their values and files. It starts no process.',
  ],
  options: {},
  examples: [
    { command: 'doi completion bash > ~/.local/share/bash-completion/completions/doi', meaning: 'For bash.' },
    {
      command: 'doi completion zsh > ~/.zfunc/_doi',
      meaning: 'For zsh. Add ~/.zfunc to fpath before compinit.',
    },
    { command: 'doi completion fish > ~/.config/fish/completions/doi.fish', meaning: 'For fish.' },
  ],
  exitCodes: { 0: 'The script is printed.' },
  async run({ operands, stdout, commands }) {
    const [shell = '', ...more] = operands;
    if (!Object.hasOwn(SCRIPTS, shell) || more.length > 0) {
      throw new UsageError('Name one shell: bash, zsh or fish.');
    }
    await stdout.write(SCRIPTS[shell as keyof typeof SCRIPTS](await commands()));
    return SUCCESS;
  },
});
