// Colours of a terminal, where there are any.

import type { Output } from './output.ts';

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Colour = keyof typeof CODES;

/** The text as it is where the output has no colours. */
export function coloured({ colours }: Pick<Output, 'colours'>, colour: Colour, text: string): string {
  return colours ? `\u001B[${CODES[colour]}m${text}\u001B[0m` : text;
}
