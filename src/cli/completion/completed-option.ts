// Options as shells complete them: each with its dashes.

import type { Command } from '../command.ts';

export interface CompletedOption {
  readonly long: string;
  readonly short: string | null;
  readonly meaning: string;
  /** what follows: nothing, one of these, a file, or anything */
  readonly value: null | readonly string[] | 'file' | 'any';
}

export function optionsOf({ options }: Command): readonly CompletedOption[] {
  const own = Object.entries(options).map(([name, option]): CompletedOption => {
    const { short = null, meaning } = option;
    const value = option.type === 'flag' ? null : (option.choices ?? (option.isFile ? 'file' : 'any'));
    return { long: name, short, meaning: firstSentence(meaning), value };
  });
  return [...own, { long: 'help', short: 'h', meaning: 'Print help.', value: null }];
}

/** Whether operands name files. */
export function takesFiles({ operands }: Command): boolean {
  return operands.includes('FILE');
}

/** What operands may be, where there is a fixed list: `bash|zsh|fish`. */
export function operandChoices({ operands }: Command): readonly string[] {
  return operands.includes('|') ? operands.split('|') : [];
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?= |$)/.exec(text)?.[0].replace(/[.:;]$/, '') ?? text;
}
