// The answers of the embedded directory. Each answer is made at the first use, and again after at most a minute.

import { canonicalName, type HandleName } from 'doi-names';
import { LRUCache } from 'lru-cache';
import { createRecord, type HandleRecord, type StoredRecord } from '../handle/record.ts';
import { HANDLE_NOT_FOUND, SUCCESS } from '../handle/response-codes.ts';
import type { HandleValue } from '../handle/value.ts';
import { LIFETIMES } from '../lifetimes.ts';
import type { Clock } from '../time.ts';
import { formatKey, type MetadataFormat } from '../works/metadata-format.ts';
import {
  createWhichRaAnswer,
  type KeptAnswer,
  type MetadataAnswer,
  type WhichRaAnswer,
  type WhichRaVerdict,
} from './directory.ts';
import type { StoredMetadata } from './directory-file.ts';

interface EmbeddedAnswersOptions {
  find(name: HandleName): StoredRecord | undefined;
  verdictOf(name: HandleName): WhichRaVerdict;
  /** default: metadata is off */
  readonly metadata?: ReadonlyMap<HandleName, StoredMetadata> | null;
  /** the message in the record of an absent name */
  readonly absentMessage: string;
  readonly clock: Clock['now'];
}

/** An answer is made again after this time or, if shorter, after a tenth of its fresh time. */
const KEPT_MS = 60_000;
/** The limit for answers about absent names: clients can invent any number of names. */
const ABSENT_MAX_BYTES = 4_000_000;
const ABSENT_BYTES = 600;

/** An answer that stays current for at most KEPT_MS. */
class MadeAnswer<Answer extends { readonly freshUntil: number }> implements KeptAnswer<Answer> {
  readonly answer: Answer;
  readonly #clock: Clock['now'];
  /** An earlier time means that the clock was set back. Then the answer is not current. */
  readonly noCheckFrom: number;
  noCheckUntil: number;

  constructor(answer: Answer, clock: Clock['now']) {
    const now = clock();
    this.answer = answer;
    this.#clock = clock;
    this.noCheckFrom = now;
    this.noCheckUntil = now + Math.min(KEPT_MS, (answer.freshUntil - now) / 10);
  }

  isCurrent(): boolean {
    const now = this.#clock();
    return now < this.noCheckUntil && now >= this.noCheckFrom;
  }

  drop(): void {
    this.noCheckUntil = Number.NEGATIVE_INFINITY;
  }
}

interface KnownName {
  readonly stored: StoredRecord | undefined;
  record: MadeAnswer<HandleRecord> | undefined;
  agency: KnownVerdict | undefined;
}

/** A verdict and its answer. All names with the same verdict share this object. */
interface KnownVerdict {
  readonly verdict: WhichRaVerdict;
  answer: MadeAnswer<WhichRaAnswer> | undefined;
}

/** Each function returns the same object until the answer is made again. */
export function createEmbeddedAnswers(options: EmbeddedAnswersOptions) {
  const { find, verdictOf, metadata, absentMessage, clock } = options;
  const presentNames = new Map<HandleName, KnownName>();
  let dropCount = 0;
  const absentNames = new LRUCache<HandleName, KnownName>({
    maxSize: ABSENT_MAX_BYTES,
    sizeCalculation: (_, name) => ABSENT_BYTES + 4 * name.length,
    dispose({ record }) {
      record?.drop();
      dropCount += 1;
    },
  });
  const verdicts = new Map<string, KnownVerdict>();

  /** First searches the unchanged name, because most names already have the canonical spelling. */
  function entryOf(name: HandleName): KnownName {
    return presentNames.get(name) ?? entryOfCanonical(canonicalName(name));
  }

  function entryOfCanonical(canonical: HandleName): KnownName {
    const known = presentNames.get(canonical) ?? absentNames.get(canonical);
    if (known) return known;
    const entry: KnownName = { stored: find(canonical), record: undefined, agency: undefined };
    // Copies the text, because a substring of a request body keeps the whole body in memory.
    const key = Buffer.from(canonical).toString() as HandleName;
    if (entry.stored) presentNames.set(key, entry);
    else absentNames.set(key, entry);
    return entry;
  }

  function makeRecord(name: HandleName, stored: StoredRecord | undefined): HandleRecord {
    const values = stored?.values ?? NO_VALUES;
    return createRecord({
      responseCode: stored ? SUCCESS : HANDLE_NOT_FOUND,
      handle: Buffer.from(name).toString() as HandleName,
      values,
      message: stored ? null : absentMessage,
      fetchedAt: clock(),
    });
  }

  function knownVerdict(name: HandleName): KnownVerdict {
    const verdict = verdictOf(name);
    const key = `${verdict.status} ${verdict.agency}`;
    const known = verdicts.get(key) ?? { verdict, answer: undefined };
    verdicts.set(key, known);
    return known;
  }

  function agency(name: HandleName): MadeAnswer<WhichRaAnswer> {
    const entry = entryOf(name);
    entry.agency ??= knownVerdict(name);
    const known = entry.agency;
    if (known.answer?.isCurrent()) return known.answer;
    known.answer = new MadeAnswer(createWhichRaAnswer(known.verdict, clock()), clock);
    return known.answer;
  }

  return {
    get generation() {
      return dropCount;
    },
    now: clock,
    record(name: HandleName): MadeAnswer<HandleRecord> {
      const entry = entryOf(name);
      if (entry.record?.isCurrent()) return entry.record;
      entry.record = new MadeAnswer(makeRecord(name, entry.stored), clock);
      return entry.record;
    },
    agency,
    ...(metadata && {
      metadata: createEmbeddedMetadata(metadata, (name) => agency(name).answer.agency, clock),
    }),
  };
}

const NO_VALUES: readonly HandleValue[] = Object.freeze([]);

/** @param agencyOf returns the label of a name's agency; null if unknown */
function createEmbeddedMetadata(
  stored: ReadonlyMap<HandleName, StoredMetadata>,
  agencyOf: (name: HandleName) => string | null,
  clock: Clock['now'],
): (name: HandleName, format: MetadataFormat) => MadeAnswer<MetadataAnswer> {
  /** The map has only names with stored metadata, so that requests for other names cannot fill the map. */
  const kept = new Map<string, MadeAnswer<MetadataAnswer>>();
  let noMetadata = make({ content: null, source: '' });

  function make(answer: Pick<MetadataAnswer, 'content' | 'source' | 'history'>): MadeAnswer<MetadataAnswer> {
    const fetchedAt = clock();
    const dated = { ...answer, fetchedAt, freshUntil: fetchedAt + LIFETIMES.metadata, stale: false };
    return new MadeAnswer(Object.freeze(dated), clock);
  }

  return (name, format) => {
    const metadata = stored.get(name) ?? stored.get(canonicalName(name));
    const content = metadata === undefined ? null : contentOf(metadata, format);
    if (metadata === undefined || content === null) {
      if (!noMetadata.isCurrent()) noMetadata = make({ content: null, source: '' });
      return noMetadata;
    }
    const key = `${formatKey(format)} ${canonicalName(name)}`;
    const known = kept.get(key);
    if (known?.isCurrent()) return known;
    const history = format.kind === 'csl' ? metadata.history : undefined;
    const answer = make({ content, source: agencyOf(name) ?? 'embedded directory', history });
    kept.set(key, answer);
    return answer;
  };
}

function contentOf(metadata: StoredMetadata, format: MetadataFormat): MetadataAnswer['content'] {
  if (format.kind === 'csl') return metadata.csl;
  if (format.kind === 'references') return metadata.references;
  if (format.kind !== 'citation') return null;
  return metadata.citations.get(`${format.style} ${format.locale}`) ?? null;
}
