// A directory in memory: the bundled sample, or an institution's own records.

import { canonicalName, type HandleName, isPrefix, prefixOf } from '../doi/name.ts';
import { parseDoi } from '../doi/parse.ts';
import type { StoredRecord } from '../handle/record.ts';
import { formatKey, type MetadataFormat } from '../metadata/metadata-format.ts';
import type { WorkHistory } from '../metadata/work.ts';
import { turnClock } from '../time.ts';
import {
  type Clock,
  type Directory,
  type KeptAnswer,
  type MetadataAnswer,
  spelledRecord,
  type WhichRaStatus,
  type WhichRaVerdict,
} from './directory.ts';
import { loadAgencies, loadMetadata, loadRecords, type StoredMetadata } from './directory-file.ts';
import { createEmbeddedAnswers, MadeAnswer } from './embedded-answers.ts';

const DAY_MS = 86_400_000;

/** @param agencyOf returns the label of a name's agency; null if unknown */
function createEmbeddedMetadata(
  stored: ReadonlyMap<HandleName, StoredMetadata>,
  agencyOf: (name: HandleName) => string | null,
  clock: Clock,
): (name: HandleName, format: MetadataFormat) => KeptAnswer<MetadataAnswer> {
  /** The map has only names with stored metadata, so that requests for other names cannot fill it. */
  const kept = new Map<string, MadeAnswer<MetadataAnswer>>();
  let nothing = made(null, '');

  function made(
    content: MetadataAnswer['content'],
    source: string,
    history?: WorkHistory,
  ): MadeAnswer<MetadataAnswer> {
    const fetchedAt = clock();
    const answer = { content, history, source, fetchedAt, freshUntil: fetchedAt + DAY_MS, stale: false };
    return new MadeAnswer(Object.freeze(answer), clock);
  }

  return (name, format) => {
    const metadata = stored.get(name) ?? stored.get(canonicalName(name));
    const content = metadata === undefined ? null : contentOf(metadata, format);
    if (metadata === undefined || content === null) {
      if (!nothing.isCurrent()) nothing = made(null, '');
      return nothing;
    }
    const key = `${formatKey(format)} ${canonicalName(name)}`;
    const known = kept.get(key);
    if (known?.isCurrent()) return known;
    const history = format.kind === 'csl' ? metadata.history : undefined;
    const answer = made(content, agencyOf(name) ?? EMBEDDED, history);
    kept.set(key, answer);
    return answer;
  };
}

const EMBEDDED = 'embedded directory';

function contentOf(metadata: StoredMetadata, format: MetadataFormat): MetadataAnswer['content'] {
  if (format.kind === 'language') return null;
  return format.kind === 'csl'
    ? metadata.csl
    : (metadata.citations.get(`${format.style} ${format.locale}`) ?? null);
}

export interface EmbeddedDirectoryOptions {
  /** path of a JSON Lines file of `{"handle", "values"}` */
  readonly recordsFile: string;
  /** path of a JSON file such as `{"10.1002": "Crossref"}`: the agency label of each prefix */
  readonly agenciesFile: string;
  /** whether the records are the sample that comes with the gateway */
  readonly isSample?: boolean;
  /** path of a JSON Lines file that `loadMetadata` reads; null: metadata is off */
  readonly metadataFile?: string | null;
  readonly clock?: Clock;
}

/** Rejects with a DirectoryFileError if a line of a file is invalid. */
export async function createEmbeddedDirectory(options: EmbeddedDirectoryOptions): Promise<Directory> {
  const { recordsFile, agenciesFile, metadataFile = null, isSample = false, clock = turnClock } = options;
  const [records, agencies, metadata] = await Promise.all([
    loadRecords(recordsFile),
    loadAgencies(agenciesFile),
    metadataFile === null ? null : loadMetadata(metadataFile),
  ]);
  const absent =
    `Not among the ${records.size} records of the embedded directory. ` +
    'Start the gateway with DOI_DIRECTORY_URL=https://doi.org to use the live system.';

  const answers = createEmbeddedAnswers({
    find: (name) => findRecord(records, name),
    verdictOf: (name) => findAgency(records, agencies, name),
    absent,
    clock,
  });
  const works =
    metadata && createEmbeddedMetadata(metadata, (name) => answers.agency(name).answer.agency, clock);

  return {
    description: {
      kind: 'EMBEDDED',
      baseUrls: [],
      records: records.size,
      isSample,
      description: `The embedded directory: ${records.size} records held in memory, no network.`,
    },

    ...(works && {
      async describe(name, format, { signal } = {}) {
        signal?.throwIfAborted();
        return works(name, format).answer;
      },
    }),

    memory: {
      ...answers,
      ...(works && { metadata: works }),
      get generation() {
        return answers.generation;
      },
    },

    async resolve(name, { signal } = {}) {
      signal?.throwIfAborted();
      return spelledRecord(answers.record(name).answer, name);
    },

    whichRa: (names, { signal } = {}) =>
      names.map(async (name) => {
        signal?.throwIfAborted();
        return answers.agency(name).answer;
      }),

    status: () => ({ available: true, reached: true }),

    async close() {},
  };
}

type Records = ReadonlyMap<HandleName, StoredRecord>;

/** For a bare prefix such as `10.1000`, finds the record of the prefix, whose handle is `0.NA/10.1000`. */
function findRecord(records: Records, name: HandleName): StoredRecord | undefined {
  const isBare = name.startsWith('10.') && !name.includes('/');
  return records.get(canonicalName(isBare ? (`0.NA/${name}` as HandleName) : name));
}

function findAgency(
  records: Records,
  agencies: ReadonlyMap<string, string>,
  name: HandleName,
): WhichRaVerdict {
  if (isPrefix(name)) return foundOr(agencies.get(name), 'DOES_NOT_EXIST');
  const parsed = parseDoi(name, 'NAME');
  if (parsed.name === null) return foundOr(undefined, 'INVALID_DOI');
  if (!records.has(canonicalName(name))) return foundOr(undefined, 'DOES_NOT_EXIST');
  return foundOr(agencies.get(prefixOf(parsed.name)), 'UNKNOWN');
}

/** FOUND if there is an agency, else the status `otherwise`. */
function foundOr(agency: string | undefined, otherwise: Exclude<WhichRaStatus, 'FOUND'>): WhichRaVerdict {
  return agency === undefined ? { status: otherwise, agency: null } : { status: 'FOUND', agency };
}
