// Members that are null are left out of what a tool returns.

/** The same with null where a member may be left out: a tool names every member, so none is forgotten. */
export type WithNulls<Value> = Value extends readonly (infer Item)[]
  ? readonly WithNulls<Item>[]
  : Value extends object
    ? {
        readonly [Key in keyof Value]-?:
          | WithNulls<Exclude<Value[Key], undefined>>
          | (undefined extends Value[Key] ? null : never);
      }
    : Value;

export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** For a list that may be left out. */
export function nullIfEmpty<Item>(list: readonly Item[]): readonly Item[] | null {
  return list.length === 0 ? null : list;
}
