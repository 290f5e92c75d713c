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
  /** As if each were spent; is to be asked first whether there is room for them. */
  spendAll(questions: readonly MetadataQuestion[]): void;
}

export function createMetadataBudget(most: number): MetadataBudget {
  return new Budget(most);
}

/** Which questions are the same is found out only where there could be too many of them. */
class Budget implements MetadataBudget {
  readonly #most: number;
  readonly #asked: (MetadataQuestion | readonly MetadataQuestion[])[] = [];
  /** each as often as it was asked for */
  #spent = 0;
  #keys: Set<string> | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  spend(question: MetadataQuestion): void {
    if (this.#takes(1)) this.#asked.push(question);
    else this.#spendExactly(question);
  }

  spendAll(questions: readonly MetadataQuestion[]): void {
    if (questions.length === 0) return;
    if (this.#takes(questions.length)) this.#asked.push(questions);
    else for (const question of questions) this.#spendExactly(question);
  }

  hasRoomFor(questions: number): boolean {
    return this.#canTake(questions) || this.#counted().size + questions <= this.#most;
  }

  #canTake(more: number): boolean {
    return this.#keys === undefined && this.#spent + more <= this.#most;
  }

  #takes(more: number): boolean {
    if (!this.#canTake(more)) return false;
    this.#spent += more;
    return true;
  }

  #spendExactly(question: MetadataQuestion): void {
    const keys = this.#counted();
    const key = metadataKey(question);
    if (keys.size === this.#most && !keys.has(key)) throw tooMany(this.#most);
    keys.add(key);
  }

  #counted(): Set<string> {
    this.#keys ??= new Set(this.#asked.flat().map(metadataKey));
    return this.#keys;
  }
}

function tooMany(most: number): GatewayError {
  return new GatewayError('TOO_MANY_LOOKUPS', {
    message: `The operation asks agencies for more than the ${most} pieces of metadata that this gateway allows. Ask for fewer names at once.`,
    details: { maxMetadata: most },
  });
}
