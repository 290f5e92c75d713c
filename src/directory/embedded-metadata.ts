// Metadata in memory, beside the records of the embedded directory.

import { canonicalName, type HandleName } from '../doi/name.ts';
import { formatKey, type MetadataFormat } from '../metadata/metadata-format.ts';
import type { Clock, Directory, HeldAnswer, MetadataAnswer } from './directory.ts';
import type { StoredMetadata } from './directory-file.ts';
import { MadeAnswer } from './embedded-answers.ts';

const DAY_MS = 86_400_000;

/** @param agencyOf label of the agency of a name; null where none is known */
export function createEmbeddedMetadata(
  stored: ReadonlyMap<HandleName, StoredMetadata>,
  agencyOf: (name: HandleName) => string | null,
  clock: Clock,
): Required<Pick<Directory, 'describe' | 'peekMetadata'>> {
  /** Of what is there: nobody can add to it by asking. */
  const kept = new Map<string, MadeAnswer<MetadataAnswer>>();
  let nothing = made(null, '');

  function made(content: MetadataAnswer['content'], source: string): MadeAnswer<MetadataAnswer> {
    const fetchedAt = clock();
    const answer = { content, source, fetchedAt, freshUntil: fetchedAt + DAY_MS, stale: false };
    return new MadeAnswer(Object.freeze(answer), clock);
  }

  function peekMetadata(name: HandleName, format: MetadataFormat): HeldAnswer<MetadataAnswer> {
    const metadata = stored.get(name) ?? stored.get(canonicalName(name));
    const content = metadata === undefined ? null : contentOf(metadata, format);
    if (content === null) {
      if (!nothing.isLive()) nothing = made(null, '');
      return nothing;
    }
    const key = `${formatKey(format)} ${canonicalName(name)}`;
    const known = kept.get(key);
    if (known?.isLive()) return known;
    const answer = made(content, agencyOf(name) ?? EMBEDDED);
    kept.set(key, answer);
    return answer;
  }

  return {
    peekMetadata,
    async describe(name, format, { signal } = {}) {
      signal?.throwIfAborted();
      return peekMetadata(name, format).answer;
    },
  };
}

const EMBEDDED = 'embedded directory';

function contentOf(metadata: StoredMetadata, format: MetadataFormat): MetadataAnswer['content'] {
  if (format.kind === 'citation') return metadata.citations.get(`${format.style} ${format.locale}`) ?? null;
  return metadata[format.kind];
}
