// A directory whose answers a test lets go by hand: 10.5555/held-1, 10.5555/held-2, …

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
  /** how many look-ups wait to be let go */
  waiting(): number;
  /** Answers for these, whether they were asked for already or not. */
  letGo(numbers: readonly number[]): void;
  /** Takes every look-up back that has not been let go. */
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
  const free = new Set<number>();

  const held = (number: number): RecordBehaviour => {
    return (handle, { signal }) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(record(handle, `https://example.org/${number}`));
        if (free.has(number)) return answer();
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
    letGo(which) {
      for (const number of which) {
        free.add(number);
        waiting.get(number)?.();
        waiting.delete(number);
      }
    },
    holdAgain() {
      free.clear();
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
