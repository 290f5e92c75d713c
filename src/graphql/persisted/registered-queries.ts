import { LRUCache } from 'lru-cache';

const MAX_QUERY_CHARACTERS = 100_000;
/** Of key, entry and their places, measured. */
const BYTES_A_QUERY = 400;

export interface RegisteredQueries {
  find(hash: string): string | undefined;
  /** Keeps a query for those who come with its hash, as long as there is room. */
  register(hash: string, query: string): void;
}

/** Queries by their hash that clients have registered on the way, the least used forgotten first: bounded by bytes. */
export function createRegisteredQueries(maxBytes: number): RegisteredQueries {
  const bytesOf = (query: string): number => query.length * 2 + BYTES_A_QUERY;
  const queries = new LRUCache<string, string>({
    maxSize: maxBytes,
    maxEntrySize: MAX_QUERY_CHARACTERS * 2 + BYTES_A_QUERY,
    sizeCalculation: bytesOf,
  });
  return {
    find: (hash) => queries.get(hash),
    register(hash, query) {
      queries.set(hash, query);
    },
  };
}
