// A directory whose look-ups of 10.5555/held-1, 10.5555/held-2, … wait until a test releases them.

import { GatewayError } from '../../src/errors.ts';
import { createRecord, type HandleRecord } from '../../src/handle/record.ts';
import { SUCCESS } from '../../src/handle/response-codes.ts';
import { decodeValues } from '../../src/handle/value.ts';
import type { WorkHistory } from '../../src/works/work.ts';
import {
  createFakeDirectory,
  type FakeDirectory,
  type MetadataBehaviour,
  NOW,
  type RecordBehaviour,
  urlValue,
} from '../support/fake-directory.ts';

export interface ListDirectory extends FakeDirectory {
  /** the number of waiting look-ups */
  waiting(): number;
  /** Ends these look-ups, now or when they begin. */
  release(numbers: readonly number[]): void;
  /** Forgets all waiting and released look-ups. */
  holdAgain(): void;
}

export const heldName = (number: number) => `10.5555/held-${number}`;

/** The numbers from `first` to `last`. */
export function numbers(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}

const HELD = 200;

/**
 * @param metadata by canonical name; left out: metadata is off
 * @param histories by canonical name
 */
export function createListDirectory(
  metadata?: Readonly<Record<string, MetadataBehaviour>>,
  histories?: Readonly<Record<string, WorkHistory>>,
): ListDirectory {
  const waiting = new Map<number, () => void>();
  const released = new Set<number>();

  const held = (number: number): RecordBehaviour => {
    return (handle, { signal }) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(record(handle, `https://example.org/${number}`));
        if (released.has(number)) return answer();
        waiting.set(number, answer);
        signal?.addEventListener('abort', () => {
          waiting.delete(number);
          reject(signal.reason);
        });
      });
  };

  const directory = createFakeDirectory({
    ...(metadata && { metadata }),
    ...(histories && { histories }),
    records: {
      ...Object.fromEntries(numbers(1, HELD).map((number) => [heldName(number), held(number)])),
      '10.5555/found': [urlValue('https://example.org/found')],
      '10.5555/broken': new GatewayError('UPSTREAM_UNAVAILABLE'),
      '10.5555/stale': async (handle) => ({ ...record(handle, 'https://example.org/stale'), stale: true }),
    },
    agencies: {
      '10.5555/found': { status: 'FOUND', agency: 'Crossref' },
      '10.5555/stale': new GatewayError('UPSTREAM_TIMEOUT'),
    },
  });
  return {
    ...directory,
    waiting: () => waiting.size,
    release(which) {
      for (const number of which) {
        released.add(number);
        waiting.get(number)?.();
        waiting.delete(number);
      }
    },
    holdAgain() {
      released.clear();
      waiting.clear();
    },
  };
}

function record(handle: HandleRecord['handle'], url: string): HandleRecord {
  return createRecord({
    responseCode: SUCCESS,
    handle,
    values: decodeValues([urlValue(url)]),
    fetchedAt: NOW,
  });
}
