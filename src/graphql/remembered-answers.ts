// Whole answers to requests that come again byte for byte, kept while memory holds just what they were made from.

import { LRUCache } from 'lru-cache';
import type { Evidence } from '../loaders/evidence.ts';
import { handOutAgain, type Recipient } from '../loaders/hand-out.ts';
import { bytesOfRecord } from '../loaders/record-bytes.ts';
import type { AskedOperation } from './operation.ts';

/** An answer without errors. */
export interface RememberedAnswer {
  readonly operation: AskedOperation;
  /** all of it, as JSON */
  readonly body: string;
}

export interface RememberedAnswers {
  /**
   * What a request was answered with, counted as if it had been made anew; undefined where nothing is remembered, or
   * what it was made from has changed. Nothing is counted then.
   */
  recall(key: string, recipient: Recipient): RememberedAnswer | undefined;
  /** Whether to note what the answer to a request is made from: it has come before. To be asked when it was not recalled. */
  isWorthNoting(key: string): boolean;
  /** `evidence` is what all of the answer was made from. */
  remember(key: string, answer: RememberedAnswer, evidence: Evidence): void;
  /** what is remembered takes about so much memory */
  readonly bytes: number;
}

interface Entry extends RememberedAnswer {
  readonly evidence: Evidence;
}

const MAX_ENTRY_BYTES = 100_000;
/** Of key, entry, evidence and their places, measured. */
const BYTES_AN_ENTRY = 700;
/** Of each record and agency: memory may let it go before the answer is. */
const BYTES_A_PART = 500;
/** Text that was decoded takes several times as much. */
const DECODED_PER_BYTE = 4;

export function createRememberedAnswers(maxBytes: number): RememberedAnswers {
  const answers = new LRUCache<string, Entry>({ maxSize: maxBytes, maxEntrySize: MAX_ENTRY_BYTES });
  const seen = createSeenKeys();
  return {
    recall(key, recipient) {
      const known = answers.get(key);
      return known !== undefined && handOutAgain(known.evidence, recipient) ? known : undefined;
    },
    isWorthNoting: (key) => seen.hasSeen(key),
    remember(key, { operation, body }, evidence) {
      const size = sizeOf(key, body, evidence);
      if (size > MAX_ENTRY_BYTES) return;
      // Copies in one piece: what was put together from parts, or cut from a whole, would keep them.
      answers.set(ownCopy(key), { operation, body: ownCopy(body), evidence }, { size });
    },
    get bytes() {
      return answers.calculatedSize;
    },
  };
}

function sizeOf(key: string, body: string, { records, agencies }: Evidence): number {
  const texts = 2 * (key.length + body.length);
  const parts = (records.length + agencies.length) * BYTES_A_PART;
  const held = records.reduce((bytes, { held }) => bytes + bytesOfRecord(held.answer), 0);
  return BYTES_AN_ENTRY + texts + parts + DECODED_PER_BYTE * held;
}

function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

/** A power of two. */
const PLACES = 16_384;

/**
 * Which keys have come of late, more or less: a number for each, in a place that others may take. Most requests come
 * once, and to keep what they say would cost more than to answer them.
 */
function createSeenKeys() {
  const places = new Int32Array(PLACES);
  return {
    /** From now on it has been seen. */
    hasSeen(key: string): boolean {
      const print = fingerprintOf(key);
      const place = print & (PLACES - 1);
      const isSeen = places[place] === print;
      places[place] = print;
      return isSeen;
    },
  };
}

/** FNV-1a, of the characters. */
function fingerprintOf(text: string): number {
  let print = 0x811c9dc5 | 0;
  for (let at = 0; at < text.length; at += 1) print = Math.imul(print ^ text.charCodeAt(at), 0x01000193);
  return print;
}
