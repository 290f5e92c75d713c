// Metadata behind the cache: each format of a name's metadata is kept by itself.

import type { Directory, MetadataAnswer } from '../directory/directory.ts';
import { formatKey, type MetadataFormat } from '../metadata/metadata-format.ts';
import { type CacheParts, createLookup, type Lookup } from './lookup.ts';
import { createMetadataCodec, type KnownMetadata, metadataEntry } from './metadata-codec.ts';
import { payForRecord } from './payment.ts';
import { askedFor, unlessGone } from './waiting.ts';

type CachedMetadata = Required<Pick<Directory, 'describe' | 'peekMetadata'>>;
type MetadataLookup = Lookup<KnownMetadata, MetadataAnswer>;

export function createCachedMetadata(
  describe: NonNullable<Directory['describe']>,
  parts: CacheParts,
): CachedMetadata {
  /** By format: there are as many as styles times locales, and a few. */
  const lookups = new Map<string, MetadataLookup>();

  function lookupOf(format: MetadataFormat): MetadataLookup {
    const key = formatKey(format);
    const known = lookups.get(key);
    if (known) return known;
    const made = createLookup<KnownMetadata, MetadataAnswer>({
      ...parts,
      kind: 'metadata',
      space: `metadata ${key}`,
      codec: createMetadataCodec(format.kind === 'csl'),
      async ask(name, waiters) {
        const answer = await describe(name, format, askedFor(waiters));
        return metadataEntry(answer, answer);
      },
      isFailure: () => false,
      answerOf: ({ value, fetchedAt, freshUntil }, stale) =>
        Object.freeze({ ...value, fetchedAt, freshUntil, stale }),
    });
    lookups.set(key, made);
    return made;
  }

  return {
    peekMetadata: (name, format) => lookupOf(format).peek(name),
    describe(name, format, asked = {}) {
      const pay = payForRecord(asked.asker?.client.budget);
      return unlessGone(lookupOf(format).find(name, asked, pay), asked.signal);
    },
  };
}
