// Aliases: a record that says to resolve another handle in its place.

import { foldBasicLatin, type HandleName, toHandleName } from '../doi/name.ts';
import { textOf } from './data.ts';
import type { HandleRecord } from './record.ts';
import { remember } from './remember.ts';
import type { HandleValue } from './value.ts';

const HS_ALIAS = 'hs_alias';

/** To search so few values is faster than a look-up in memory. */
const FEW_VALUES = 16;

/** The target of a record's HS_ALIAS, the lowest index if there are several; null when it has none. */
export function aliasOf({ values }: HandleRecord): HandleName | null {
  return values.length <= FEW_VALUES ? readAlias(values) : rememberedAlias(values);
}

const rememberedAlias = remember(readAlias);

function readAlias(values: readonly HandleValue[]): HandleName | null {
  let lowest: number | null = null;
  let target: string | null = null;
  for (const { index, type, data } of values) {
    const isAlias = type.length === HS_ALIAS.length && foldBasicLatin(type) === HS_ALIAS;
    if (!isAlias || (lowest !== null && index >= lowest)) continue;
    const text = textOf(data);
    if (text) [lowest, target] = [index, text];
  }
  return target === null ? null : toHandleName(target);
}
