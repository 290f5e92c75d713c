// How much heap each worker may have, so that all of them fit into the memory there is.

import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../config.ts';
import { outsideBytes } from '../work/memory-sizes.ts';

const MIB = 2 ** 20;

/** Node itself, new objects, a share of the primary process. */
const NODE_MIB = 192;
/** Heap beside the cache. */
const WORKING_MIB = 256;
/** Node's own maximum: to collect the garbage of a larger heap takes long. */
const MOST_MIB = 4_096;

export interface WorkerHeap {
  /** for `--max-old-space-size` */
  readonly heapMiB: number;
  /** what there is for it is less than it needs, which it is given all the same */
  readonly warning: string | null;
}

export interface WorkerHeapOptions {
  readonly config: Pick<Config, 'CACHE_MAX_BYTES' | 'MAX_BODY_BYTES'>;
  readonly workers: number;
  readonly memoryMiB: number;
}

/** As in the Helm chart (templates/_memory.tpl): the part of each worker's memory outside the heap. */
export function heapOfWorker({ config, workers, memoryMiB }: WorkerHeapOptions): WorkerHeap {
  const { bodyBytes, responseBytes } = outsideBytes(config.MAX_BODY_BYTES);
  const besideMiB = NODE_MIB + Math.ceil(responseBytes / MIB) + Math.ceil(bodyBytes / MIB);
  const neededMiB = Math.floor(config.CACHE_MAX_BYTES / MIB) + WORKING_MIB;
  const leftMiB = Math.floor(memoryMiB / workers) - besideMiB;
  if (leftMiB >= neededMiB)
    return { heapMiB: Math.min(leftMiB, Math.max(neededMiB, MOST_MIB)), warning: null };
  const reportedMiB = Math.max(0, leftMiB);
  return {
    heapMiB: neededMiB,
    warning: `${memoryMiB} MiB of memory leave each of ${workers} workers a heap of ${reportedMiB} MiB, and it needs ${neededMiB} (CACHE_MAX_BYTES and ${WORKING_MIB}). They may be killed for want of memory: lower WORKERS or CACHE_MAX_BYTES.`,
  };
}

/** Of the container, where it has a limit, else of the machine. */
export function memoryMiB(): number {
  const machine = totalmem();
  // Without a limit it is 0, or a number that no machine has.
  const container = process.constrainedMemory() || machine;
  return Math.floor(Math.min(container, machine) / MIB);
}

/** The heap limit of this process, for the log. */
export interface HeapReport {
  readonly heapLimitMiB: number;
  readonly memoryMiB: number;
}

export function heapReport(): HeapReport {
  return { heapLimitMiB: Math.round(getHeapStatistics().heap_size_limit / MIB), memoryMiB: memoryMiB() };
}
