// The jobs on disk: all that is needed to go on with them when everything else is lost.

import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isJobKey, type JobKey } from '../job-id.ts';
import {
  absent,
  type ChunkHead,
  type ChunkSummary,
  chunkFileName,
  chunksIn,
  FILE_STEPS,
  moveFolder,
  readChunkHead,
  writeChunk,
  writeOnce,
} from './chunk-files.ts';
import { createJobUpload, INPUT, type JobUpload } from './job-upload.ts';

/** What is known of a job when its file has arrived. It never changes. */
export interface JobManifest<Work = unknown> {
  readonly version: 1;
  /** the name of the API key whose job it is; null: whoever has the id */
  readonly owner: string | null;
  /** by which its API key finds it in the list of its jobs; left out where there is no key: the id alone opens the job */
  readonly id?: string;
  /** by which the jobs of one client are counted */
  readonly client: string;
  /** milliseconds since the epoch */
  readonly createdAt: number;
  readonly rows: number;
  /** where each chunk of the input begins, and at last where the last one ends */
  readonly offsets: readonly number[];
  /** the most bytes that its result can take; left out in jobs of earlier versions */
  readonly resultBytes?: number;
  /** of the file that was put in, without its ending; left out: not known */
  readonly name?: string;
  /** what is to be done with each row */
  readonly work: Work;
}

/** How a job ended. */
export type JobEnd =
  | ({
      readonly state: 'done';
      readonly endedAt: number;
      readonly chunkBytes: readonly number[];
    } & ChunkSummary)
  | { readonly state: 'failed'; readonly endedAt: number; readonly reason: string };

export type JobStore<Work = unknown> = ReturnType<typeof createJobStore<Work>>;

const MANIFEST = 'manifest.json';
const END = 'end.json';
const OUTPUT = 'output';
/** Says which jobs belong to this folder, whatever Redis they are queued in. */
const FLEET = 'fleet';

export function createJobStore<Work>(root: string) {
  const jobs = join(root, 'jobs');
  const uploads = join(root, 'uploads');
  const removed = join(root, 'removed');
  const folderOf = (key: JobKey) => join(jobs, key);
  const outputOf = (key: JobKey) => join(folderOf(key), OUTPUT);

  async function remove(from: string, key: string): Promise<void> {
    const away = join(removed, `${key}-${Date.now()}`);
    // At once for all others, however many files there are.
    await moveFolder(from, away).catch(absent);
    await rm(away, { recursive: true, force: true });
  }

  return {
    /**
     * Makes the folder usable. Rejects where it is not, or has no hard links.
     * @returns a word that is this folder's own
     */
    async open(createWord: () => string): Promise<string> {
      for (const folder of [jobs, uploads, removed]) await mkdir(folder, { recursive: true });
      await writeOnce(join(root, FLEET), [Buffer.from(createWord())]);
      return readFile(join(root, FLEET), 'utf8');
    },

    upload: (key: JobKey): Promise<JobUpload> => createJobUpload(join(uploads, key)),
    /** Forgets a file that did not arrive. */
    abandon: (key: JobKey): Promise<void> => remove(join(uploads, key), key),

    /** Makes a job of a file that has arrived: from now on it outlives a crash. */
    async publish(key: JobKey, manifest: JobManifest<Work>): Promise<void> {
      const folder = join(uploads, key);
      await mkdir(join(folder, OUTPUT));
      await FILE_STEPS.create(join(folder, MANIFEST), [Buffer.from(JSON.stringify(manifest))]);
      await FILE_STEPS.syncFolder(folder);
      await moveFolder(folder, folderOf(key));
    },

    /** Null where there is no such job. */
    async manifest(key: JobKey): Promise<JobManifest<Work> | null> {
      const text = await readFile(join(folderOf(key), MANIFEST), 'utf8').catch(absent);
      return text === null ? null : (JSON.parse(text) as JobManifest<Work>);
    },

    /** The rows of one chunk, a line of JSON each. */
    async input(key: JobKey, { offsets }: JobManifest<Work>, chunk: number): Promise<readonly string[]> {
      const [begin = 0, end = 0] = offsets.slice(chunk, chunk + 2);
      const file = await open(join(folderOf(key), INPUT), 'r');
      try {
        const { buffer } = await file.read(Buffer.alloc(end - begin), 0, end - begin, begin);
        return buffer.toString('utf8').split('\n').slice(0, -1);
      } finally {
        await file.close();
      }
    },

    chunks: (key: JobKey): Promise<readonly number[]> => chunksIn(outputOf(key)),
    chunkHead: (key: JobKey, chunk: number): Promise<ChunkHead | null> => readChunkHead(outputOf(key), chunk),
    chunkPath: (key: JobKey, chunk: number): string => join(outputOf(key), chunkFileName(chunk)),
    /** Rejects with ENOENT where the job has been removed meanwhile. */
    writeChunk: (key: JobKey, chunk: number, body: Uint8Array, summary: ChunkSummary): Promise<void> =>
      writeChunk(outputOf(key), chunk, body, summary),

    /** Null while it has not ended. */
    async end(key: JobKey): Promise<JobEnd | null> {
      const text = await readFile(join(folderOf(key), END), 'utf8').catch(absent);
      return text === null ? null : (JSON.parse(text) as JobEnd);
    },
    /** Writes down how a job ended; what was written first stays. */
    async writeEnd(key: JobKey, end: JobEnd): Promise<void> {
      await writeOnce(join(folderOf(key), END), [Buffer.from(JSON.stringify(end))]);
    },

    remove: (key: JobKey): Promise<void> => remove(folderOf(key), key),
    keys: async (): Promise<readonly JobKey[]> => (await readdir(jobs)).filter(isJobKey),

    /** Files that began to arrive, and when each was last written to. */
    async uploadsOf(): Promise<readonly { readonly key: JobKey; readonly writtenAt: number }[]> {
      const found: { key: JobKey; writtenAt: number }[] = [];
      for (const key of (await readdir(uploads)).filter(isJobKey)) {
        const input = await stat(join(uploads, key, INPUT)).catch(absent);
        const folder = input ?? (await stat(join(uploads, key)).catch(absent));
        if (folder) found.push({ key, writtenAt: folder.mtimeMs });
      }
      return found;
    },

    /** Takes away what a crash left of jobs that were removed before. */
    async emptyRemoved(before: number): Promise<void> {
      for (const name of await readdir(removed)) {
        const removedAt = Number(name.split('-')[1]);
        if (removedAt < before) await rm(join(removed, name), { recursive: true, force: true });
      }
    },
  };
}
