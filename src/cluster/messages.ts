// What the primary process and its workers tell each other.

import type { HeapTold } from './heap-limit.ts';

/** Metrics as JSON, one object for each, as prom-client's registries give and merge them. */
export type MetricsSnapshot = readonly object[];

export type ToPrimary =
  /** the worker answers requests; `line` says where, and what answers */
  | { readonly type: 'gateway:listening'; readonly line: string; readonly heap: HeapTold }
  | { readonly type: 'gateway:want-merged' }
  /** returned at once: the primary hands over the next connection before */
  | { readonly type: 'gateway:turn' }
  | { readonly type: 'gateway:own'; readonly round: number; readonly metrics: MetricsSnapshot };

export type ToWorker =
  | { readonly type: 'gateway:want-own'; readonly round: number }
  | { readonly type: 'gateway:turn' }
  /** null where a worker did not give its metrics in time */
  | { readonly type: 'gateway:merged'; readonly text: string | null };

export const isToPrimary = isMessage<ToPrimary>;
export const isToWorker = isMessage<ToWorker>;

/** The channel is not ours alone: tsx, for one, reports to the parent process as well. */
function isMessage<Message extends ToPrimary | ToWorker>(value: unknown): value is Message {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' && type.startsWith('gateway:');
}
