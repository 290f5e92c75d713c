// Operations by an id in place of their text: those of the manifest, and those that clients register on the way.

import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.ts';
import { type OperationManifest, sha256 } from './operation-manifest.ts';

const MAX_QUERY_CHARACTERS = 100_000;
/** Of key, entry and their places, measured. */
const BYTES_A_QUERY = 400;

interface RegisteredQueries {
  find(hash: string): string | undefined;
  /** Keeps a query for clients that send its hash, as long as there is room. */
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

export interface FindOperationOptions {
  readonly manifest: OperationManifest;
  /** execute nothing but the manifest's operations, and `ownOperations` */
  readonly only: boolean;
  /** documents of the gateway's own pages, to the byte */
  readonly ownOperations: readonly string[];
  /** of the queries that clients register */
  readonly maxRegisteredBytes: number;
}

/** How a request names its operation: by its text, by an id, or by both. */
export interface NamedOperation {
  readonly query: string | null;
  /** `documentId`, or Relay's `doc_id` */
  readonly documentId: string | null;
  /** `extensions.persistedQuery.sha256Hash` */
  readonly hash: string | null;
}

/** The text of the operation. Throws a GatewayError where there is none, or not this one. */
export type FindOperation = (named: NamedOperation) => string;

/** What Apollo Client, urql and all others that register queries look for. */
const NOT_FOUND = 'PersistedQueryNotFound';

/**
 * The manifest's ids are looked for first. Queries are registered under their SHA-256 where a client sends both,
 * unless only the manifest's are executed. A query beside an id that is not its own is refused.
 */
export function createFindOperation({
  manifest,
  only,
  ownOperations,
  maxRegisteredBytes,
}: FindOperationOptions): FindOperation {
  const own = new Set(ownOperations);
  const registered = createRegisteredQueries(maxRegisteredBytes);

  return ({ query, documentId, hash }) => {
    if (query !== null) {
      if (only && !manifest.has(query) && !own.has(query)) throw notInManifest();
      if (documentId !== null) checkId(query, documentId);
      if (hash !== null) checkAndRegister(query, hash);
      return query;
    }
    if (documentId !== null) return found(documentId, false);
    if (hash !== null) return found(hash, true);
    throw noQuery();
  };

  function found(id: string, isHash: boolean): string {
    const query = manifest.find(id) ?? (only ? undefined : registered.find(id));
    if (query !== undefined) return query;
    // Clients recognise the message and then send the whole query. Some clients read only answers with status 200.
    if (isHash) throw new GatewayError('PERSISTED_QUERY_NOT_FOUND', { message: NOT_FOUND, httpStatus: 200 });
    throw new GatewayError('PERSISTED_QUERY_NOT_FOUND', {
      message: `The gateway knows no operation by the id "${id.slice(0, 100)}". ${only ? 'It executes only those of its manifest: send the id of one.' : 'Send one of its manifest, or the whole query in place of the id.'}`,
    });
  }

  function checkId(query: string, id: string): void {
    if (manifest.find(id) === query || sha256(query) === id) return;
    throw badRequest(
      `The request holds a query and the id "${id.slice(0, 100)}", which is not that query's. Send one of the two.`,
    );
  }

  function checkAndRegister(query: string, hash: string): void {
    if (manifest.find(hash) === query) return;
    if (sha256(query) !== hash) {
      throw badRequest('The "sha256Hash" in extensions.persistedQuery is not the SHA-256 of the query.');
    }
    registered.register(hash, query);
  }
}

function noQuery(): GatewayError {
  return badRequest(
    'The request has no query. Send {"query": "…"} as application/json, or ?query=… in the URL.',
  );
}

function notInManifest(): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message:
      'The gateway executes only the operations of its manifest, and the query is none of them. Send the id of one as "documentId", or as "sha256Hash" in extensions.persistedQuery.',
    httpStatus: 403,
  });
}

function badRequest(message: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { message });
}
