// Names that a probe asks for: they exist, and no one client has chosen all of them.

import type { HandleName } from '../../doi/name.ts';

export interface KnownNames {
  /** Takes in a name that the directory has just found. */
  found(name: HandleName): void;
  /** Two at the most, others from time to time. */
  pick(): readonly HandleName[];
}

/** One of each prefix, for the names of a prefix are kept by one server, which may hang by itself. */
const MAX_PREFIXES = 16;

/** @param always the name that is asked for every time, whatever clients ask for */
export function createKnownNames(always: HandleName): KnownNames {
  const byPrefix = new Map<string, HandleName>();
  let picks = 0;
  return {
    found(name) {
      const prefix = name.slice(0, name.indexOf('/') + 1).toLowerCase();
      byPrefix.delete(prefix);
      byPrefix.set(prefix, name);
      const [oldest] = byPrefix.keys();
      if (byPrefix.size > MAX_PREFIXES && oldest !== undefined) byPrefix.delete(oldest);
    },
    pick() {
      const lately = [...byPrefix.values()].filter((name) => name !== always);
      picks += 1;
      const one = lately[picks % Math.max(1, lately.length)];
      return one === undefined ? [always] : [always, one];
    },
  };
}
