// Finds the text of an operation by its id: in the manifest, or among the queries that clients have registered.

import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.ts';
import { MAX_KEPT_CHARACTERS } from '../operation.ts';
import { type OperationManifest, sha256 } from './operation-manifest.ts';

/** The memory of a query without its text (measured). */
const BYTES_PER_QUERY = 400;

type RegisteredQueries = LRUCache<string, string>;

/** Keeps queries by their hash, for clients that send only the hash. When full, drops the least recently used query. */
export function createRegisteredQueries(maxBytes: number): RegisteredQueries {
  return new LRUCache<string, string>({
    maxSize: maxBytes,
    maxEntrySize: MAX_KEPT_CHARACTERS * 2 + BYTES_PER_QUERY,
    sizeCalculation: (query) => query.length * 2 + BYTES_PER_QUERY,
  });
}

interface FindOperationOptions {
  readonly manifest: OperationManifest;
  /** true: execute only operations of the manifest, and `ownOperations` */
  readonly isManifestOnly: boolean;
  /** the exact texts of the operations of the gateway's own pages */
  readonly ownOperations: readonly string[];
  readonly registered: RegisteredQueries;
}

/** How a request names its operation: by its text, by an id, or by both. */
export interface NamedOperation {
  readonly query: string | null;
  /** `documentId`, or Relay's `doc_id` */
  readonly documentId: string | null;
  /** `extensions.persistedQuery.sha256Hash` */
  readonly hash: string | null;
}

/** Returns the text of the operation. Throws a GatewayError if the operation is unknown or not allowed. */
export type FindOperation = (named: NamedOperation) => string;

/** Clients that register queries, such as Apollo Client and urql, expect this message. */
const NOT_FOUND = 'PersistedQueryNotFound';
const NO_QUERY = 'The request has no query. Send {"query": "…"} as application/json, or ?query=… in the URL.';

/**
 * Searches the manifest first. If a request has a query and its SHA-256, registers the query. Refuses a query with the
 * id of another query.
 */
export function createFindOperation({
  manifest,
  isManifestOnly,
  ownOperations,
  registered,
}: FindOperationOptions): FindOperation {
  const ownTexts = new Set(ownOperations);

  return ({ query, documentId, hash }) => {
    if (query !== null) {
      if (isManifestOnly && !manifest.has(query) && !ownTexts.has(query)) throw notInManifest();
      if (documentId !== null) checkId(query, documentId);
      if (hash !== null) checkAndRegister(query, hash);
      return query;
    }
    if (documentId !== null) return findById(documentId, false);
    if (hash !== null) return findById(hash, true);
    throw badRequest(NO_QUERY);
  };

  function findById(id: string, isHash: boolean): string {
    const query = manifest.find(id) ?? (isManifestOnly ? undefined : registered.get(id));
    if (query !== undefined) return query;
    // Clients recognise the message and then send the whole query. Some clients read only responses with status 200.
    if (isHash) throw new GatewayError('PERSISTED_QUERY_NOT_FOUND', { message: NOT_FOUND, httpStatus: 200 });
    throw new GatewayError('PERSISTED_QUERY_NOT_FOUND', {
      message: `The gateway knows no operation with the id "${id.slice(0, 100)}". ${isManifestOnly ? 'It executes only operations of its manifest: send the id of such an operation.' : 'Send an id of its manifest, or the whole query in place of the id.'}`,
    });
  }

  function checkId(query: string, id: string): void {
    if (manifest.find(id) === query || sha256(query) === id) return;
    throw badRequest(
      `The request has a query and the id "${id.slice(0, 100)}", but this id belongs to another query. Send only one of the two.`,
    );
  }

  function checkAndRegister(query: string, hash: string): void {
    if (manifest.find(hash) === query) return;
    if (sha256(query) !== hash) {
      throw badRequest('The "sha256Hash" in extensions.persistedQuery is not the SHA-256 of the query.');
    }
    registered.set(hash, query);
  }
}

function notInManifest(): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message:
      'The gateway executes only the operations of its manifest, and this query is not one of them. Send the id of an operation as "documentId", or as "sha256Hash" in extensions.persistedQuery.',
    httpStatus: 403,
  });
}

function badRequest(message: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', { message });
}
