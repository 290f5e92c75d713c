// The answers of one kind that memory holds, as those who ask get them: decoded once, while they are in use.

import { canonicalName, type HandleName } from '../doi/name.ts';
import type { Codec } from './codec.ts';
import { agingFrom, type Entry } from './entry.ts';
import { type Decoded, decodedBytes, type MemoryTier, ownCopy } from './memory-tier.ts';

export interface DecodedAnswersOptions<Value, Answer> {
  readonly kind: string;
  readonly memory: MemoryTier;
  readonly codec: Codec<Value>;
  /** what is handed out for an entry */
  readonly answerOf: (entry: Entry<Value>, stale: boolean) => Answer;
}

export interface DecodedAnswer<Value, Answer> {
  readonly entry: Entry<Value>;
  /** milliseconds since the epoch */
  readonly agingFrom: number;
  /** The same object each time. */
  answer(stale: boolean): Answer;
}

export interface DecodedAnswers<Value, Answer> {
  /** What memory holds of a name; undefined where it holds nothing. */
  get(name: HandleName): DecodedAnswer<Value, Answer> | undefined;
}

export function keyOf(kind: string, name: HandleName): string {
  return `${kind}:${canonicalName(name)}`;
}

export function createDecodedAnswers<Value, Answer>(
  options: DecodedAnswersOptions<Value, Answer>,
): DecodedAnswers<Value, Answer> {
  const { kind, memory, codec, answerOf } = options;
  const kept = new Map<HandleName, Decoded & DecodedAnswer<Value, Answer>>();

  function decode(asked: HandleName, canonical: HandleName): DecodedAnswer<Value, Answer> | undefined {
    const key = keyOf(kind, canonical);
    const text = memory.get(key);
    if (text === undefined) return undefined;
    const name = ownCopy(canonical);
    const entry = codec.decodeOwn(text, asked === canonical ? name : ownCopy(asked));
    let fresh: Answer | undefined;
    let stale: Answer | undefined;
    const decoded: Decoded & DecodedAnswer<Value, Answer> = {
      key: ownCopy(key),
      bytes: decodedBytes(text, name),
      used: false,
      dropped: () => kept.delete(name),
      entry,
      agingFrom: agingFrom(entry),
      answer(isStale) {
        if (isStale) {
          stale ??= answerOf(entry, true);
          return stale;
        }
        fresh ??= answerOf(entry, false);
        return fresh;
      },
    };
    if (memory.keep(decoded)) kept.set(name, decoded);
    return decoded;
  }

  return {
    get(name) {
      // Nearly all names come in the canonical spelling, and those that do are found by it.
      const known = kept.get(name);
      if (known !== undefined) {
        memory.use(known);
        return known;
      }
      const canonical = canonicalName(name);
      const other = canonical === name ? undefined : kept.get(canonical);
      if (other === undefined) return decode(name, canonical);
      memory.use(other);
      return other;
    },
  };
}
