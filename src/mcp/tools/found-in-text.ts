// The DOI names of a text, with how much of them a tool takes on.

import type { DoiName } from '../../doi/name.ts';
import { FIND_DOIS } from '../tool-documents.ts';
import { dataOf, MAX_NAME_CHARACTERS, type ToolContext } from './tool.ts';

export interface FoundName {
  readonly doi: { readonly name: DoiName; readonly url: string };
  /** as it stands in the text */
  readonly text: string;
  /** UTF-16 units */
  readonly start: number;
  readonly end: number;
  readonly form: string;
  readonly repaired: boolean;
}

export interface FoundNames {
  readonly names: readonly FoundName[];
  /** left out, since nobody registers names of such a length */
  readonly tooLong: number;
}

/** All matches in the text's order. Rejects with a ToolError where there are more than an operation may cost. */
export async function namesInText(text: string, { gateway, signal }: ToolContext): Promise<FoundNames> {
  const { findDois } = await dataOf<{ readonly findDois: readonly FoundName[] }>(
    gateway.ask,
    FIND_DOIS,
    { text },
    signal,
  );
  const names = findDois.filter(({ doi }) => doi.name.length <= MAX_NAME_CHARACTERS);
  return { names, tooLong: findDois.length - names.length };
}

const MAX_SHOWN = 300;

/** What stands in the text, cut where markup makes it long. */
export function shown(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
