// How much memory cached records take, as text and decoded: what the tier says, and what the heap says. Run with
//   node --max-old-space-size=2048 --expose-gc --import tsx bench/memory.ts [records] [MiB for the cache]

import { readFileSync } from 'node:fs';
import { entryOf, recordCodec } from '../src/cache/codec.ts';
import { createDecodedAnswers } from '../src/cache/decoded-answers.ts';
import { createMemoryTier } from '../src/cache/memory-tier.ts';
import { canonicalName, type HandleName, toHandleName } from '../src/doi/name.ts';
import { createRecord } from '../src/handle/record.ts';
import { decodeValues } from '../src/handle/value.ts';

interface Sample {
  readonly handle: string;
  readonly values: readonly unknown[];
}

const records = Number(process.argv[2] ?? 1_000_000);
const maxBytes = Number(process.argv[3] ?? 1_024) * 2 ** 20;

const samples: readonly Sample[] = readFileSync(
  new URL('../data/sample-directory.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

function heapBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const memory = createMemoryTier(maxBytes);
const before = heapBytes();
const handles: HandleName[] = [];
let jsonBytes = 0;
let highestHeapBytes = 0;
const start = performance.now();
for (let i = 0; i < records; i += 1) {
  const sample = samples[i % samples.length] as Sample;
  const handle = toHandleName(`${sample.handle}.${i.toString(36)}`);
  if (handle === null) throw new Error('a sample has no name');
  const record = createRecord({
    responseCode: 1,
    handle,
    values: decodeValues(structuredClone(sample.values)),
    fetchedAt: Date.now(),
  });
  handles.push(handle);
  memory.set(`record:${canonicalName(handle)}`, recordCodec.encode(entryOf(record)));
  jsonBytes += Buffer.byteLength(JSON.stringify({ handle, values: sample.values }));
  if (i % 100_000 === 0) highestHeapBytes = Math.max(highestHeapBytes, heapBytes() - before);
}
const seconds = (performance.now() - start) / 1_000;
const heap = heapBytes() - before;
highestHeapBytes = Math.max(highestHeapBytes, heap);

// As many are decoded as there is room for, read one after the other.
const textBytes = memory.bytes;
const decoded = createDecodedAnswers({
  space: 'record',
  memory,
  codec: recordCodec,
  clock: { now: Date.now },
  answerOf: ({ value }) => value,
  onAging: () => undefined,
});
for (const handle of handles) decoded.get(handle);
const decodedHeap = heapBytes() - before - heap;

const perRecord = (bytes: number): number => Math.round(bytes / memory.entries);
console.table({
  'records put in': records,
  'records kept': memory.entries,
  'MiB allowed': maxBytes / 2 ** 20,
  'MiB by the estimate': Math.round(textBytes / 2 ** 20),
  'MiB of heap': Math.round(heap / 2 ** 20),
  'MiB of heap at the most': Math.round(highestHeapBytes / 2 ** 20),
  'bytes a record, JSON': Math.round(jsonBytes / records),
  'bytes a record, estimate': perRecord(textBytes),
  'bytes a record, heap': perRecord(heap),
  'MiB of decoded by the estimate': Math.round((memory.bytes - textBytes) / 2 ** 20),
  'MiB of decoded, heap': Math.round(decodedHeap / 2 ** 20),
  'estimate ÷ JSON': (textBytes / memory.entries / (jsonBytes / records)).toFixed(2),
  'heap ÷ JSON': (heap / memory.entries / (jsonBytes / records)).toFixed(2),
  seconds: Math.round(seconds),
});
