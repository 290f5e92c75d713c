import { type HandleValue, type ValueFilter, valueFilter } from '../../handle/value.ts';

interface FilterArguments {
  readonly types?: readonly string[] | null | undefined;
  readonly indexes?: readonly number[] | null | undefined;
}

const filters = new WeakMap<FilterArguments, ValueFilter>();

/** The values that the arguments leave. An operation reads its arguments once, and so the filter is made once. */
export function filteredValues(
  values: readonly HandleValue[],
  asked: FilterArguments,
): readonly HandleValue[] {
  const { types, indexes } = asked;
  if (!types?.length && !indexes?.length) return values;
  let filter = filters.get(asked);
  if (filter === undefined) {
    filter = valueFilter(types ?? [], indexes ?? []) ?? (() => true);
    filters.set(asked, filter);
  }
  return values.filter(filter);
}
