// Whole answers to requests that come again byte for byte, kept while memory holds just what they were made from.

import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Evidence } from '../loaders/evidence.ts';
import { handOutAgain, type Recipient } from '../loaders/hand-out.ts';
import type { AskedOperation } from './operation.ts';

/** An answer without errors. */
export interface RememberedAnswer {
  readonly operation: AskedOperation;
  /** all of it, as JSON */
  readonly body: string;
}

export interface RememberedAnswers {
  /** By which a request is remembered, told from all that its answer depends on; null where it is the first of its kind. */
  keyOf(request: Buffer): string | null;
  /**
   * What a request was answered with, counted as if it had been made anew; undefined where nothing is remembered, or
   * what it was made from has changed. Nothing is counted then.
   */
  recall(key: string, recipient: Recipient): RememberedAnswer | undefined;
  /** Whether there is a place for the answer to a request; to be asked before it is noted what that is made from. */
  hasPlace(key: string): boolean;
  /** `evidence` is what all of the answer was made from. */
  remember(key: string, answer: RememberedAnswer, evidence: Evidence): void;
  /** what is remembered takes about so much memory */
  readonly bytes: number;
}

interface Entry extends RememberedAnswer {
  readonly evidence: Evidence;
}

/** What is longer rarely comes twice. */
const MAX_REQUEST_BYTES = 4_000;
const MAX_ENTRY_BYTES = 100_000;
/**
 * Once there is no room, one of so many takes the place of others. Where more comes again than there is room for, each
 * would otherwise be driven out before it comes, and to remember it cost more than to answer it.
 */
const TURNED_AWAY = 16;
/** Of key, entry, evidence and their places, measured. */
const BYTES_AN_ENTRY = 700;
/** Of each record and agency: memory may let it go before the answer is. */
const BYTES_A_PART = 500;

export function createRememberedAnswers(maxBytes: number): RememberedAnswers {
  const answers = new LRUCache<string, Entry>({ maxSize: maxBytes, maxEntrySize: MAX_ENTRY_BYTES });
  let isFull = false;
  let turnedAway = 0;
  const seen = createSeenRequests();
  return {
    keyOf(request) {
      if (request.length > MAX_REQUEST_BYTES || !seen.hasSeen(request)) return null;
      // Each byte a character: whatever the bytes are, no others give the same text.
      return request.toString('latin1');
    },
    recall(key, recipient) {
      const known = answers.get(key);
      return known !== undefined && handOutAgain(known.evidence, recipient) ? known : undefined;
    },
    hasPlace(key) {
      if (!isFull || answers.has(key)) return true;
      turnedAway = (turnedAway + 1) % TURNED_AWAY;
      return turnedAway === 0;
    },
    remember(key, { operation, body }, evidence) {
      const size = sizeOf(key, body, evidence);
      if (size > MAX_ENTRY_BYTES) return;
      // A copy in one piece: what was put together from parts would keep all of them.
      isFull ||= answers.calculatedSize + size > maxBytes;
      answers.set(key, { operation, body: Buffer.from(body).toString(), evidence }, { size });
    },
    get bytes() {
      return answers.calculatedSize;
    },
  };
}

function sizeOf(key: string, body: string, { records, agencies }: Evidence): number {
  const texts = 2 * (key.length + body.length);
  const parts = (records.length + agencies.length) * BYTES_A_PART;
  return BYTES_AN_ENTRY + texts + parts;
}

/** A power of two. */
const PLACES = 65_536;

/**
 * Which requests have come of late, more or less: a number for each, in a place that others may take. Most come once,
 * and to keep what they say would cost more than to answer them.
 */
function createSeenRequests() {
  const places = new Uint32Array(PLACES);
  return {
    /** From now on it has been seen. */
    hasSeen(request: Buffer): boolean {
      const print = crc32(request);
      const place = print & (PLACES - 1);
      const isSeen = places[place] === print;
      places[place] = print;
      return isSeen;
    },
  };
}
