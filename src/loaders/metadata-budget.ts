// Counts what one operation asks agencies for.

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

export interface MetadataBudget {
  /** A name counts once for each format. Throws TOO_MANY_LOOKUPS for one more than is allowed. */
  spend(question: MetadataQuestion): void;
  /** Whether there is room for so many, whatever they are. */
  hasRoomFor(questions: number): boolean;
}

export function createMetadataBudget(most: number): MetadataBudget {
  return new Budget(most);
}

/** A class, since every request makes one. */
class Budget implements MetadataBudget {
  readonly #most: number;
  #asked: Set<string> | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  spend(question: MetadataQuestion): void {
    this.#asked ??= new Set();
    const key = metadataKey(question);
    if (this.#asked.size === this.#most && !this.#asked.has(key)) throw tooMany(this.#most);
    this.#asked.add(key);
  }

  hasRoomFor(questions: number): boolean {
    return (this.#asked?.size ?? 0) + questions <= this.#most;
  }
}

function tooMany(most: number): GatewayError {
  return new GatewayError('TOO_MANY_LOOKUPS', {
    message: `The operation asks agencies for more than the ${most} pieces of metadata that this gateway allows. Ask for fewer names at once.`,
    details: { maxMetadata: most },
  });
}
