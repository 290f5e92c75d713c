// Aliases: a record that says to resolve another handle in its place.

import { foldBasicLatin, type HandleName, toHandleName } from '../doi/name.ts';
import { textOf } from './data.ts';
import type { HandleRecord } from './record.ts';

/** The target of a record's HS_ALIAS, the lowest index if there are several; null when it has none. */
export function aliasOf({ values }: HandleRecord): HandleName | null {
  const [first] = values
    .filter(({ type, data }) => foldBasicLatin(type) === 'hs_alias' && textOf(data))
    .sort((a, b) => a.index - b.index);
  const target = first ? textOf(first.data) : null;
  return target === null ? null : toHandleName(target);
}
