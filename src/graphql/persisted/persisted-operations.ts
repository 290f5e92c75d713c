// Operations by an id in place of their text: those of the manifest, and those that clients register on the way.

import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { GatewayError } from '../../errors.ts';
import { type OperationManifest, sha256 } from './operation-manifest.ts';
import { createRegisteredQueries } from './registered-queries.ts';

export interface PersistedOperationsOptions {
  readonly manifest: OperationManifest;
  /** execute nothing but the manifest's operations, and `ownOperations` */
  readonly only: boolean;
  /** documents of the gateway's own pages, to the byte */
  readonly ownOperations: readonly string[];
}

/** What Apollo Client, urql and all others that register queries look for. */
const NOT_FOUND = 'PersistedQueryNotFound';

/**
 * Ids come as `extensions.persistedQuery.sha256Hash`, or as `documentId` (Relay: `doc_id`) in the body or the
 * URL. The manifest's are looked for first. Queries are registered under their SHA-256 where a client sends both,
 * unless only the manifest's are executed. A query beside an id that is not its own is refused.
 */
export function usePersistedOperations(options: PersistedOperationsOptions): Plugin {
  const { manifest, only } = options;
  const own = new Set(options.ownOperations);
  const registered = createRegisteredQueries();

  function found(id: string, isHash: boolean): string {
    const query = manifest.find(id) ?? (only ? undefined : registered.find(id));
    if (query !== undefined) return query;
    // By its message clients tell that they should send the whole query. Some read no answer but 200.
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

  return {
    onParams({ params, request, setParams }) {
      const { documentId: _id, doc_id: _docId, ...rest } = params as ReceivedParams;
      const { query } = rest;
      const documentId = documentIdOf(params, request);
      const hash = hashOf(rest.extensions);
      if (typeof query === 'string') {
        if (only && !manifest.has(query) && !own.has(query)) throw notInManifest();
        if (documentId !== null) checkId(query, documentId);
        if (hash !== null) checkAndRegister(query, hash);
      }
      const id = documentId ?? hash;
      // A query that is no text is told of by whoever checks the parameters.
      const isLeftOut = query === undefined || query === null;
      setParams(isLeftOut && id !== null ? { ...rest, query: found(id, documentId === null) } : rest);
    },
  };
}

/** What was received is whatever JSON there was. */
type ReceivedParams = GraphQLParams & { readonly documentId?: unknown; readonly doc_id?: unknown };

const NAMES = ['documentId', 'doc_id'] as const;
const HASH_PREFIX = 'sha256:';

function documentIdOf(params: ReceivedParams, { method, url }: Request): string | null {
  const inUrl = method === 'GET' ? new URL(url, 'http://localhost').searchParams : null;
  for (const name of NAMES) {
    const id = inUrl ? inUrl.get(name) : (params[name] ?? null);
    if (id === null) continue;
    if (typeof id !== 'string') throw badRequest(`The parameter "${name}" is not a string.`);
    return id.startsWith(HASH_PREFIX) ? id.slice(HASH_PREFIX.length) : id;
  }
  return null;
}

function hashOf(extensions: unknown): string | null {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : null;
  if (persisted === undefined || persisted === null) return null;
  if (isObject(persisted)) {
    const { version, sha256Hash } = persisted;
    if (version === 1 && typeof sha256Hash === 'string') return sha256Hash;
  }
  throw badRequest('The extension "persistedQuery" is not {"version": 1, "sha256Hash": "…"}.');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
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
