// Computes the heap limit of each worker, so that all workers together fit into the memory of the container or machine.

import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../config.ts';
import { outsideHeapBytes } from '../memory/memory-sizes.ts';

const MIB = 2 ** 20;

/** Memory of a worker outside its heap, without bodies of requests and responses, and a part of the primary's memory. */
const NODE_MIB = 192;
/** The heap that a worker needs in addition to its caches. */
const WORKING_MIB = 256;
/** A heap is larger than this only if its caches need more, because garbage collection of a large heap takes long. */
const USUAL_MAX_MIB = 4_096;

interface WorkerHeapOptions {
  readonly config: Pick<Config, 'CACHE_MAX_BYTES' | 'MAX_BODY_BYTES'>;
  readonly workers: number;
  readonly memoryMiB: number;
}

/**
 * Returns `heapMiB` for `--max-old-space-size`, and a warning or null. With too little memory, `heapMiB` is still as large
 * as a worker needs. The Helm chart has the same rules (templates/_memory.tpl): change both together.
 */
export function heapOfWorker({ config, workers, memoryMiB }: WorkerHeapOptions) {
  const { bodyBytes, responseBytes } = outsideHeapBytes(config.MAX_BODY_BYTES);
  const outsideHeapMiB = NODE_MIB + Math.ceil(responseBytes / MIB) + Math.ceil(bodyBytes / MIB);
  const neededMiB = Math.floor(config.CACHE_MAX_BYTES / MIB) + WORKING_MIB;
  const possibleMiB = Math.floor(memoryMiB / workers) - outsideHeapMiB;
  if (possibleMiB >= neededMiB)
    return { heapMiB: Math.min(possibleMiB, Math.max(neededMiB, USUAL_MAX_MIB)), warning: null };
  const reportedMiB = Math.max(0, possibleMiB);
  return {
    heapMiB: neededMiB,
    warning: `With ${memoryMiB} MiB of memory, each of ${workers} workers can have a heap of ${reportedMiB} MiB, but a worker needs ${neededMiB} MiB (CACHE_MAX_BYTES and ${WORKING_MIB} MiB). The system may kill workers. Lower WORKERS or CACHE_MAX_BYTES.`,
  };
}

/** The memory limit of the container if it has one, else the memory of the machine. */
export function memoryMiB(): number {
  const machine = totalmem();
  // If the container has no limit, `constrainedMemory` returns 0 or a very large number.
  const container = process.constrainedMemory() || machine;
  return Math.floor(Math.min(container, machine) / MIB);
}

/** The heap limit of this process, for the log. */
export function heapReport() {
  return { heapLimitMiB: Math.round(getHeapStatistics().heap_size_limit / MIB), memoryMiB: memoryMiB() };
}
