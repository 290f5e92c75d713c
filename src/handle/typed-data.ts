// Reads more out of the data of a value: the servers of a site, and JSON that is stored as text.

import type { HandleDataOf } from './data.ts';
import { parseHandleJson, remember } from './json.ts';

export interface HandleInterface {
  readonly protocol: string;
  readonly port: number;
  readonly query: boolean;
  readonly admin: boolean;
}

export interface HandleServer {
  readonly address: string;
  readonly interfaces: readonly HandleInterface[];
}

/**
 * The servers of an HS_SITE value, in order. Never throws: leaves out servers without an address, and interfaces without
 * a protocol or port. https://hdl.handle.net/20.1000/113 (Handle.Net Technical Manual, chapter 4)
 * @param site the JSON of the directory, in any shape
 */
export function serversOf(site: unknown): HandleServer[] {
  return listOf(members(site)['servers']).flatMap((server) => {
    const { address, interfaces } = members(server);
    if (typeof address !== 'string') return [];
    return [{ address, interfaces: listOf(interfaces).flatMap(readInterface) }];
  });
}

function readInterface(wire: unknown): HandleInterface[] {
  const { protocol, port, query, admin } = members(wire);
  if (typeof protocol !== 'string' || typeof port !== 'number' || (port | 0) !== port) return [];
  return [{ protocol, port, query: query === true, admin: admin === true }];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A longer text is not parsed, so that parsing takes at most about a millisecond. */
export const MAX_JSON_CHARACTERS = 100_000;

/**
 * The object or list that a text is as JSON, as in values of a registered type (`21.T11148/…`). Null for every other text,
 * and for JSON that `parseJson` refuses.
 */
export function jsonIn(data: HandleDataOf<'string'>): unknown {
  return holdsJson(data) ? JSON.parse(data.value) : null;
}

/** Remembers whether the text is JSON, and not the result, which can need ten times the memory of the text. */
const holdsJson = remember(({ value }: HandleDataOf<'string'>): boolean => {
  if (value.length > MAX_JSON_CHARACTERS || !/^\s*[[{]/.test(value)) return false;
  try {
    parseHandleJson(value);
    return true;
  } catch {
    return false;
  }
});
