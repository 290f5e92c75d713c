// What a process has used so far, as Linux counts it.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

export interface Usage {
  /** on a processor, in user and in system mode, all threads */
  readonly cpuMs: number;
  /** the main thread had work and the machine gave it no processor: other programs were busy */
  readonly queuedMs: number;
}

/** Null when the process has ended. */
export function readUsage(pid: number): Usage | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const [onCpu = 0, queued = 0] = numbers(`/proc/${pid}/task/${thread}/schedstat`);
      return { thread, onCpu, queued };
    });
    const main = threads.find(({ thread }) => thread === String(pid));
    return {
      cpuMs: threads.reduce((sum, { onCpu }) => sum + onCpu, 0) / 1e6,
      queuedMs: (main?.queued ?? 0) / 1e6,
    };
  } catch {
    return null;
  }
}

/** How long the main thread has had work and no processor; 0 when the process has ended. */
export function readQueuedMs(pid: number): number {
  try {
    return (numbers(`/proc/${pid}/task/${pid}/schedstat`)[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}

export interface Memory {
  readonly rssBytes: number;
  /** since the process started, or since the last `forgetPeak` */
  readonly peakRssBytes: number;
}

/** Null when the process has ended. */
export function readMemory(pid: number): Memory | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
    return { rssBytes: bytes('VmRSS'), peakRssBytes: bytes('VmHWM') };
  } catch {
    return null;
  }
}

/** From here on `peakRssBytes` counts anew. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The process has ended, or this kernel has no such thing: then the peak is that of the whole life.
  }
}

function numbers(file: string): number[] {
  return readFileSync(file, 'utf8').trim().split(' ').map(Number);
}
