// A directory in memory: the bundled sample, or an institution's own records.

import { canonicalName, type HandleName } from 'doi-names';
import { isPrefix, parseDoi, prefixOf } from 'doi-names/parts';
import type { StoredRecord } from '../handle/record.ts';
import { type Clock, turnClock } from '../time.ts';
import { type Directory, spelledRecord, type WhichRaStatus, type WhichRaVerdict } from './directory.ts';
import { loadAgencies, loadMetadata, loadRecords } from './directory-file.ts';
import { createEmbeddedAnswers } from './embedded-answers.ts';

interface EmbeddedDirectoryOptions {
  /** path of a JSON Lines file of `{"handle", "values"}` */
  readonly recordsFile: string;
  /** path of a JSON file such as `{"10.1002": "Crossref"}`: the agency label of each prefix */
  readonly agenciesFile: string;
  /** whether the records are the sample that comes with the gateway */
  readonly isSample?: boolean;
  /** path of a JSON Lines file that `loadMetadata` reads; null: metadata is off */
  readonly metadataFile?: string | null;
  readonly clock?: Clock['now'];
}

/** Rejects with a DirectoryFileError if a file cannot be read or is invalid. */
export async function createEmbeddedDirectory(options: EmbeddedDirectoryOptions): Promise<Directory> {
  const { recordsFile, agenciesFile, metadataFile = null, isSample = false, clock = turnClock } = options;
  const [records, agencies, metadata] = await Promise.all([
    loadRecords(recordsFile),
    loadAgencies(agenciesFile),
    metadataFile === null ? null : loadMetadata(metadataFile),
  ]);
  const absentMessage =
    `Not among the ${records.size} records of the embedded directory. ` +
    'Start the gateway with DOI_DIRECTORY_URL=https://doi.org to use the live system.';

  const memory = createEmbeddedAnswers({
    find: (name) => findRecord(records, name),
    verdictOf: (name) => findAgency(records, agencies, name),
    metadata,
    absentMessage,
    clock,
  });
  const { metadata: metadataOf } = memory;

  return {
    description: {
      kind: 'EMBEDDED',
      baseUrls: [],
      records: records.size,
      isSample,
      description: `The embedded directory: ${records.size} records held in memory, no network.`,
    },

    ...(metadataOf && {
      async describe(name, format, { signal } = {}) {
        signal?.throwIfAborted();
        return metadataOf(name, format).answer;
      },
    }),

    memory,

    async resolve(name, { signal } = {}) {
      signal?.throwIfAborted();
      return spelledRecord(memory.record(name).answer, name);
    },

    whichRa: (names, { signal } = {}) =>
      names.map(async (name) => {
        signal?.throwIfAborted();
        return memory.agency(name).answer;
      }),

    status: () => ({ available: true, reached: true }),

    async close() {},
  };
}

type Records = ReadonlyMap<HandleName, StoredRecord>;

/** For a bare prefix such as `10.1000`, finds the record of the prefix, whose handle is `0.NA/10.1000`. */
function findRecord(records: Records, name: HandleName): StoredRecord | undefined {
  const isBarePrefix = name.startsWith('10.') && !name.includes('/');
  return records.get(canonicalName(isBarePrefix ? (`0.NA/${name}` as HandleName) : name));
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
