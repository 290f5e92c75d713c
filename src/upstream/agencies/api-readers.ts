// The readers of the responses of Crossref's and DataCite's REST APIs.

import { canonicalName, type HandleName } from 'doi-names';
import { asArray, asObject, type WireObject } from '../../handle/json.ts';
import { decodeBody, failureOfBody, isJson, parseOrFail } from '../record-look-up.ts';
import { failureOfHead, type ResponseReader } from '../response-body.ts';
import { badResponse } from '../upstream-failure.ts';

/** The result of a request for several names. */
export type BatchAnswer =
  | {
      readonly kind: 'FOUND';
      /** Returns null if the response has no item for this name. */
      readonly find: (name: HandleName) => WireObject | null;
    }
  /** The service refused the request because of these names. Empty if the response does not list the names. */
  | { readonly kind: 'REFUSED'; readonly names: ReadonlySet<HandleName> };

/** Maximum size of a response for several names. After a larger response, the gateway requests each half of the names. */
export const MAX_LIST_BYTES = 1_000_000;

/** A search requests this many works. The right work is nearly always among the first. */
export const MAX_FOUND = 5;

/**
 * Finds items by their DOI, because the service can send them in another order, and can add items. If a name has two
 * items, the gateway uses neither item, because one of them is perhaps about another work.
 */
export function itemsByName(items: readonly unknown[], doiOf: (item: WireObject) => unknown): BatchAnswer {
  const byName = new Map<string, WireObject | null>();
  for (const item of items) {
    if (typeof item !== 'object' || item === null) continue;
    const doi = doiOf(item as WireObject);
    if (typeof doi !== 'string') continue;
    const name = canonicalName(doi as HandleName);
    byName.set(name, byName.has(name) ? null : (item as WireObject));
  }
  return { kind: 'FOUND', find: (name) => byName.get(canonicalName(name)) ?? null };
}

const NO_ITEMS: BatchAnswer = { kind: 'FOUND', find: () => null };

/** @param statuses the statuses whose body is read. 404 means "not found". Every other status is a failure. */
export function apiReader(
  statuses: readonly number[],
  read: (json: WireObject, status: number) => BatchAnswer,
  maxBytes?: number,
): ResponseReader<BatchAnswer> {
  return {
    accept: 'application/json',
    ...(maxBytes !== undefined && { maxBytes }),
    wantsBody(head) {
      if (statuses.includes(head.status) && isJson(head)) return true;
      if (head.status === 404) return false;
      throw head.status === 200 ? badResponse('the response is not JSON') : failureOfHead(head);
    },
    parse(head, body) {
      if (head.status === 404) return () => NO_ITEMS;
      const json = parseOrFail(head, decodeBody(body));
      return () => {
        try {
          return read(asObject(json, 'the response'), head.status);
        } catch (error) {
          throw failureOfBody(head, error);
        }
      };
    },
  };
}

/** @param itemsOf the list of the works in the response */
export function searchReader(
  statuses: readonly number[],
  itemsOf: (json: WireObject) => unknown,
): ResponseReader<BatchAnswer> {
  return apiReader(
    statuses,
    (json, status) => {
      const items = status === 200 ? asArray(itemsOf(json), 'the works that were found') : [];
      return { kind: 'FOUND', find: () => ({ items: items.slice(0, MAX_FOUND) }) };
    },
    MAX_LIST_BYTES,
  );
}
