// Decides whether two inputs are the same DOI, and how they differ if they are not.

import type { Lookalikes } from './lookalikes.ts';
import { canonicalName, type DoiName, foldBasicLatin } from './name.ts';
import type { ParsedDoi, ReadDoi, UnreadDoi } from './parse.ts';
import { percentDecode } from './percent.ts';
import { repairsOf } from './suggest.ts';
import { normalized } from './unicode-normalization.ts';

type Comparison = (a: DoiName, b: DoiName, lookalikes: Lookalikes | null) => boolean;

interface Relation {
  readonly equivalent: boolean;
  readonly holds: Comparison;
  readonly explanation: string;
}

/** The order matters: the relation of two names is the first relation that holds. */
const RELATIONS = {
  IDENTICAL: {
    equivalent: true,
    holds: (a, b) => a === b,
    explanation: 'The two names are the same, code point by code point.',
  },
  CASE: {
    equivalent: true,
    holds: (a, b) => a.length === b.length && canonicalName(a) === canonicalName(b),
    explanation:
      'The names differ only in the case of Basic Latin letters, which makes no difference in DOI names.',
  },
  NORMALIZATION: {
    equivalent: false,
    holds: sameAfter((name) => foldBasicLatin(normalized(name, 'NFC'))),
    explanation:
      'The names look alike, but some characters are composed of other code points. DOI names are never normalized, so they are two names.',
  },
  NON_LATIN_CASE: {
    equivalent: false,
    holds: sameAfter((name) => normalized(name, 'NFC').toUpperCase().toLowerCase()),
    explanation:
      'The names differ in the case of letters outside Basic Latin. DOI names distinguish this case, so they are two names.',
  },
  DOUBLE_ENCODING: {
    equivalent: false,
    holds: (a, b) => decodesTo(a, b) || decodesTo(b, a),
    explanation:
      'If the percent triplets of one name are decoded, it becomes the other name. Probably one name was encoded twice.',
  },
  TRAILING_SLASH: {
    equivalent: false,
    holds: (a, b) => isOtherWithSlash(a, b) || isOtherWithSlash(b, a),
    explanation:
      'One name is the other with a slash at its end. The slash is part of a DOI name, so they are two names.',
  },
  CONFUSABLE: {
    equivalent: false,
    // Folding must come after the skeleton: the skeleton of a capital I is a small l.
    holds: (a, b, lookalikes) =>
      lookalikes !== null &&
      foldBasicLatin(lookalikes.plainSkeletonOf(a)) === foldBasicLatin(lookalikes.plainSkeletonOf(b)),
    explanation:
      'The names are made of characters that look alike, such as a Cyrillic and a Latin a, a dash and a hyphen, or 0 and O. They are two names.',
  },
  DISTINCT: {
    equivalent: false,
    holds: () => true,
    explanation: 'The names are different.',
  },
} satisfies Record<string, Relation>;
const RELATION_ORDER = Object.keys(RELATIONS) as (keyof typeof RELATIONS)[];

export type DoiEquivalenceRelation = keyof typeof RELATIONS | 'INVALID';

export interface DoiEquivalence {
  /** null if an input is not a DOI */
  readonly equivalent: boolean | null;
  readonly relation: DoiEquivalenceRelation;
  readonly explanation: string;
  /** whether the names are equal by Z39.84-2000, where the suffix was case-sensitive; null if an input is not a DOI */
  readonly equivalentInNiso2000: boolean | null;
}

/** Compares two inputs by the DOI URI scheme, chapter 3. Without `lookalikes`, the relation is never CONFUSABLE. */
export function compareDois(a: ParsedDoi, b: ParsedDoi, lookalikes: Lookalikes | null): DoiEquivalence {
  if (a.name === null || b.name === null) {
    const explanation = invalidExplanation(a, b);
    return Object.freeze({ equivalent: null, relation: 'INVALID', explanation, equivalentInNiso2000: null });
  }
  const names = [a.name, b.name] as const;
  const relation =
    RELATION_ORDER.find((candidate) => RELATIONS[candidate].holds(...names, lookalikes)) ?? 'DISTINCT';
  const { equivalent, explanation } = RELATIONS[relation];
  const repair = relation === 'DISTINCT' ? repairSentence(...names, lookalikes) : '';
  return Object.freeze({
    equivalent,
    relation,
    explanation: explanation + repair,
    equivalentInNiso2000: a.name === b.name,
  });
}

/** In UTF-16 code units. No real name is longer, and the warnings about a longer name take too much time. */
const MAX_REPAIRED_LENGTH = 10_000;

/** A sentence if the warnings about one name suggest the other name; else an empty string. */
function repairSentence(a: DoiName, b: DoiName, lookalikes: Lookalikes | null): string {
  if (Math.max(a.length, b.length) > MAX_REPAIRED_LENGTH) return '';
  const isRepaired = (from: DoiName, to: DoiName): boolean =>
    repairsOf(from, lookalikes).some((repaired) => canonicalName(repaired) === canonicalName(to));
  if (isRepaired(a, b))
    return ' The first was probably meant to be the second: see the warnings of the first.';
  if (isRepaired(b, a))
    return ' The second was probably meant to be the first: see the warnings of the second.';
  return '';
}

function invalidExplanation(a: ParsedDoi, b: ParsedDoi): string {
  if (a.name === null && b.name === null) return 'Neither the first nor the second is a DOI name.';
  return `The ${a.name === null ? 'first' : 'second'} is not a DOI name.`;
}

function sameAfter(transform: (name: DoiName) => string): Comparison {
  return (a, b) => transform(a) === transform(b);
}

function isOtherWithSlash(longer: DoiName, shorter: DoiName): boolean {
  if (longer.length !== shorter.length + 1 || !longer.endsWith('/')) return false;
  return canonicalName(longer) === `${canonicalName(shorter)}/`;
}

function decodesTo(encoded: DoiName, target: DoiName): boolean {
  const decoded = percentDecode(encoded);
  return decoded.ok && decoded.text !== encoded && foldBasicLatin(decoded.text) === canonicalName(target);
}

export interface DoiEquivalenceClasses {
  /** in the order of their first members; the members are in the order of the inputs */
  readonly classes: readonly { readonly name: DoiName; readonly members: readonly IndexedInput<ReadDoi>[] }[];
  readonly unreadable: readonly IndexedInput<UnreadDoi>[];
}

export interface IndexedInput<Parsed extends ParsedDoi> {
  readonly index: number;
  readonly parsed: Parsed;
}

/** Groups inputs: two inputs are in one class if they are the same DOI. A class has the name of its first member. */
export function equivalenceClasses(inputs: readonly ParsedDoi[]): DoiEquivalenceClasses {
  const classes = new Map<DoiName, { name: DoiName; members: IndexedInput<ReadDoi>[] }>();
  const unreadable: IndexedInput<UnreadDoi>[] = [];
  for (const [index, parsed] of inputs.entries()) {
    if (parsed.name === null) {
      unreadable.push({ index, parsed });
      continue;
    }
    const canonical = canonicalName(parsed.name);
    const members = classes.get(canonical)?.members;
    if (members) members.push({ index, parsed });
    else classes.set(canonical, { name: parsed.name, members: [{ index, parsed }] });
  }
  return { classes: [...classes.values()], unreadable };
}
