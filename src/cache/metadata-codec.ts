// Cached metadata as text.

import type { MetadataAnswer } from '../directory/directory.ts';
import { LONGEST_LIFE_MS } from '../handle/freshness.ts';
import { freezeJson, MalformedRecordError, parseJson } from '../handle/json.ts';
import { asArray, asString } from '../handle/shape.ts';
import type { CslItem } from '../metadata/work.ts';
import type { Codec } from './codec.ts';
import { createEntry, type Entry } from './entry.ts';
import { MAX_TEXT_BYTES } from './shared-tier.ts';

/** What is the same of an answer, whenever it is given. */
export type KnownMetadata = Pick<MetadataAnswer, 'content' | 'source'>;

/** @param isCsl whether the content is an object, else it is text */
export function createMetadataCodec(isCsl: boolean): Codec<KnownMetadata> {
  function contentOf(content: unknown): MetadataAnswer['content'] {
    if (content === null) return null;
    if (!isCsl) return asString(content, 'the cached text');
    if (typeof content !== 'object' || Array.isArray(content))
      throw new MalformedRecordError('cached metadata is no object');
    return freezeJson(content as CslItem);
  }

  function read(row: unknown): Entry<KnownMetadata> {
    const [fetchedAt, freshUntil, source, content] = asArray(row, 'cached metadata');
    if (!Number.isSafeInteger(fetchedAt) || !Number.isSafeInteger(freshUntil)) {
      throw new MalformedRecordError('a time is no number of milliseconds');
    }
    const times = {
      fetchedAt: fetchedAt as number,
      freshUntil: Math.min(freshUntil as number, (fetchedAt as number) + LONGEST_LIFE_MS),
    };
    return metadataEntry({ content: contentOf(content), source: asString(source, 'the source') }, times);
  }

  return {
    encode: ({ value, fetchedAt, freshUntil }) =>
      JSON.stringify([fetchedAt, freshUntil, value.source, value.content]),
    decode(text) {
      if (text.length > MAX_TEXT_BYTES)
        throw new MalformedRecordError(`more than ${MAX_TEXT_BYTES} characters`);
      return read(parseJson(text));
    },
    decodeOwn: (text) => read(JSON.parse(text)),
  };
}

export function metadataEntry(
  { content, source }: KnownMetadata,
  times: Pick<MetadataAnswer, 'fetchedAt' | 'freshUntil'>,
): Entry<KnownMetadata> {
  return createEntry(Object.freeze({ content, source }), times, content === null);
}
