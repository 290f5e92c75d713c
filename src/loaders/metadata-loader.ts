// What one request asks agencies for: each format of a name's metadata once, and not without end.

import type { Directory, HeldAnswer, MetadataAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';
import { formatKey, type MetadataFormat } from '../metadata/metadata-format.ts';

export interface MetadataQuestion {
  readonly name: HandleName;
  readonly format: MetadataFormat;
}

/** Two questions with the same key are one. */
export function metadataKey({ name, format }: MetadataQuestion): string {
  return `${formatKey(format)} ${canonicalName(name)}`;
}

/** Counts what is asked for. Throws TOO_MANY_LOOKUPS for one more than is allowed. */
export class MetadataBudget {
  readonly #most: number;
  readonly #asked = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  spend(question: MetadataQuestion): void {
    const key = metadataKey(question);
    if (this.#asked.has(key)) return;
    if (this.#asked.size === this.#most) throw tooMany(this.#most);
    this.#asked.add(key);
  }

  hasRoomFor(more: number): boolean {
    return this.#asked.size + more <= this.#most;
  }
}

/** Throws METADATA_OFF. */
export function peekedMetadata(
  directory: Directory,
  { name, format }: MetadataQuestion,
): HeldAnswer<MetadataAnswer> | undefined {
  if (!directory.describe) throw new GatewayError('METADATA_OFF');
  return directory.peekMetadata?.(name, format);
}

function tooMany(most: number): GatewayError {
  return new GatewayError('TOO_MANY_LOOKUPS', {
    message: `The operation asks agencies for more than the ${most} pieces of metadata that this gateway allows. Ask for fewer names at once.`,
    details: { maxMetadata: most },
  });
}
