// The jobs on disk. The disk has everything that the gateway needs to continue the jobs if Redis loses its data.

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutcomeCounts } from '../../tools/bulk/row-outcomes.ts';
import type { OutputFormat, TableShape } from '../../tools/bulk/table-shape.ts';
import { isJobKey, type JobKey } from '../job-id.ts';
import { JobsStartError } from '../queue/queue-connection.ts';
import {
  type ChunkHead,
  type ChunkSummary,
  chunkFileName,
  chunksIn,
  FILE_STEPS,
  isDiskFull,
  moveFolder,
  nullIfAbsent,
  readChunkHead,
  readPart,
  writeChunk,
  writeOnce,
} from './chunk-files.ts';
import { createJobUpload, INPUT, type JobUpload } from './job-upload.ts';

/** The parameters of a job. */
export interface JobTask {
  readonly shape: TableShape;
  /** the names of all fields of the result, separated by commas */
  readonly fields: string;
  readonly format: OutputFormat;
  readonly excel: boolean;
  /** a text before the name of each new column */
  readonly prefix: string;
  /** the DOIForm of all names. Null: the gateway recognises the form of each name. */
  readonly form: string | null;
  /** whether a row with several names becomes a row for each name. Missing in jobs of earlier versions. */
  readonly split?: boolean;
}

/** Whether the rows have references in words instead of names. */
export function hasReferences({ shape }: Pick<JobTask, 'shape'>): boolean {
  return shape.referenceColumns !== undefined;
}

/** The description of a job. It is written after the upload, and never changes. */
export interface JobManifest {
  readonly version: 1;
  /** the name of the owner's API key. Null: every client with the id has access. */
  readonly owner: string | null;
  /** The id, for the list of the owner's jobs. It is missing without an API key, because then the id alone gives access. */
  readonly id?: string;
  /** the mark of the client to which the job belongs */
  readonly client: string;
  /** milliseconds since the epoch */
  readonly createdAt: number;
  readonly rows: number;
  /** the offset of each chunk in the input file, and then the length of the file */
  readonly offsets: readonly number[];
  /** The largest possible size of the result. Missing in jobs of earlier versions. */
  readonly resultBytes?: number;
  /** The name of the uploaded file without its ending. Missing if unknown. */
  readonly name?: string;
  /** stored under this name by all versions; elsewhere `work` is a publication */
  readonly work: JobTask;
}

export type JobEnd =
  | ({
      readonly state: 'done';
      readonly endedAt: number;
      readonly chunkBytes: readonly number[];
    } & Pick<ChunkSummary, 'rows'> &
      Partial<OutcomeCounts>)
  | { readonly state: 'failed'; readonly endedAt: number; readonly reason: string };

export type JobStore = ReturnType<typeof createJobStore>;

const MANIFEST = 'manifest.json';
const END = 'end.json';
const OUTPUT = 'output';
/** A file with a random word. All keys in Redis contain this word, so several folders of jobs can share one Redis. */
const FLEET = 'fleet';

/** Why the folder cannot be used, by the error code of the file system. */
const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'the gateway has no permission to write there',
  EROFS: 'it is read-only',
  EPERM: 'its file system has no hard links, or the gateway has no permission to create hard links',
  ENOTSUP: 'its file system has no hard links',
  ENOSYS: 'its file system has no hard links',
  ENOTDIR: 'it is not a folder',
  ENOSPC: 'it is full',
};

export function createJobStore(root: string) {
  const jobs = join(root, 'jobs');
  const uploads = join(root, 'uploads');
  const removed = join(root, 'removed');
  const folderOf = (key: JobKey) => join(jobs, key);
  const outputOf = (key: JobKey) => join(folderOf(key), OUTPUT);

  async function readJson<Content>(key: JobKey, file: string): Promise<Content | null> {
    const text = await readFile(join(folderOf(key), file), 'utf8').catch(nullIfAbsent);
    return text === null ? null : (JSON.parse(text) as Content);
  }

  async function remove(from: string, key: string): Promise<void> {
    const removedFolder = join(removed, `${key}-${Date.now()}`);
    // The rename comes first, because it removes the job in one step for all other processes.
    const failure = await moveFolder(from, removedFolder).catch((error) => error);
    // A full disk can refuse the rename, but then the files must go all the more.
    if (isDiskFull(failure)) await rm(from, { recursive: true, force: true });
    else if (failure) nullIfAbsent(failure);
    await rm(removedFolder, { recursive: true, force: true });
  }

  return {
    /** Prepares the folder. Resolves with the word that identifies the folder. Rejects with a JobsStartError. */
    async open(): Promise<string> {
      try {
        for (const folder of [jobs, uploads, removed]) await mkdir(folder, { recursive: true });
        await writeOnce(join(root, FLEET), [Buffer.from(randomBytes(9).toString('hex'))]);
        return await readFile(join(root, FLEET), 'utf8');
      } catch (cause) {
        const { code = '' } = cause as NodeJS.ErrnoException;
        const reason = FOLDER_FAULTS[code] ?? `it fails with ${code || String(cause)}`;
        throw new JobsStartError(`JOBS_DIR=${root} cannot be used: ${reason}.`, { cause });
      }
    },

    upload: (key: JobKey): Promise<JobUpload> => createJobUpload(join(uploads, key)),
    /** Deletes an incomplete upload. */
    abandon: (key: JobKey): Promise<void> => remove(join(uploads, key), key),

    /** Makes a complete upload a job. When this resolves, the job survives a crash. */
    async publish(key: JobKey, manifest: JobManifest): Promise<void> {
      const folder = join(uploads, key);
      await mkdir(join(folder, OUTPUT));
      await FILE_STEPS.create(join(folder, MANIFEST), [Buffer.from(JSON.stringify(manifest))]);
      await FILE_STEPS.syncFolder(folder);
      await moveFolder(folder, folderOf(key));
    },

    /** Resolves with null if there is no such job. */
    manifest: (key: JobKey) => readJson<JobManifest>(key, MANIFEST),

    /** Resolves with the rows of one chunk. Each row is a line of JSON. */
    async input(key: JobKey, { offsets }: JobManifest, chunk: number): Promise<readonly string[]> {
      const [begin = 0, end = 0] = offsets.slice(chunk, chunk + 2);
      const lines = await readPart(join(folderOf(key), INPUT), begin, end - begin);
      return lines.split('\n').slice(0, -1);
    },

    chunks: (key: JobKey): Promise<readonly number[]> => chunksIn(outputOf(key)),
    chunkHead: (key: JobKey, chunk: number): Promise<ChunkHead | null> => readChunkHead(outputOf(key), chunk),
    chunkPath: (key: JobKey, chunk: number): string => join(outputOf(key), chunkFileName(chunk)),
    /** Rejects with ENOENT if the job was removed meanwhile. */
    writeChunk: (key: JobKey, chunk: number, body: Uint8Array, summary: ChunkSummary): Promise<void> =>
      writeChunk(outputOf(key), chunk, body, summary),

    /** Resolves with null until the job has ended. */
    end: (key: JobKey) => readJson<JobEnd>(key, END),
    /** Stores the end of a job. If the job already has an end, this has no effect. */
    async writeEnd(key: JobKey, end: JobEnd): Promise<void> {
      await writeOnce(join(folderOf(key), END), [Buffer.from(JSON.stringify(end))]);
    },

    remove: (key: JobKey): Promise<void> => remove(folderOf(key), key),
    keys: async (): Promise<readonly JobKey[]> => (await readdir(jobs)).filter(isJobKey),

    /** Resolves with the incomplete uploads, each with the time of its last write. */
    async uploadsOf(): Promise<readonly { readonly key: JobKey; readonly writtenAt: number }[]> {
      const found: { key: JobKey; writtenAt: number }[] = [];
      for (const key of (await readdir(uploads)).filter(isJobKey)) {
        const input = await stat(join(uploads, key, INPUT)).catch(nullIfAbsent);
        const folder = input ?? (await stat(join(uploads, key)).catch(nullIfAbsent));
        if (folder) found.push({ key, writtenAt: folder.mtimeMs });
      }
      return found;
    },

    /** Deletes files of removed jobs that remain after a crash. @param before keeps jobs that were removed later */
    async emptyRemoved(before: number): Promise<void> {
      for (const name of await readdir(removed)) {
        const removedAt = Number(name.split('-')[1]);
        if (removedAt < before) await rm(join(removed, name), { recursive: true, force: true });
      }
    },
  };
}
