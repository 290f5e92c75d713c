// The heap limit of each worker. All workers together must fit into the memory of the container or the machine.

import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../config.ts';
import { outsideBytes } from '../work/memory-sizes.ts';

const MIB = 2 ** 20;

/** For Node itself, new objects, and a share of the primary process. */
const NODE_MIB = 192;
/** The heap of a worker without its caches. */
const WORKING_MIB = 256;
/** The default maximum of Node, because garbage collection of a larger heap takes long. */
const MOST_MIB = 4_096;

export interface WorkerHeap {
  /** for `--max-old-space-size` */
  readonly heapMiB: number;
  /** not null if the memory is less than a worker needs; the worker still gets the heap that it needs */
  readonly warning: string | null;
}

export interface WorkerHeapOptions {
  readonly config: Pick<Config, 'CACHE_MAX_BYTES' | 'MAX_BODY_BYTES'>;
  readonly workers: number;
  readonly memoryMiB: number;
}

/** Keep it equal to the Helm chart (templates/_memory.tpl). */
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
    warning: `With ${memoryMiB} MiB of memory, each of ${workers} workers can have a heap of ${reportedMiB} MiB, but it needs ${neededMiB} MiB (CACHE_MAX_BYTES and ${WORKING_MIB} MiB). The system may kill workers. Lower WORKERS or CACHE_MAX_BYTES.`,
  };
}

/** The memory limit of the container if it has one, else the memory of the machine. */
export function memoryMiB(): number {
  const machine = totalmem();
  // Without a limit, Node returns 0 or a number above the memory of any machine.
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
