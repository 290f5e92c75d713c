// The types of data.mjs.

export interface PeerData {
  readonly name: string;
  readonly uri: string;
  readonly url: string;
}

/** The start of all names, and the number at the end of the first name. */
export const NAME_START: string;
export const FIRST_NAME: number;
export const names: readonly string[];
export function handleValues(name: string): readonly unknown[];
export const records: ReadonlyMap<string, PeerData>;
export const query: string;
export function directoryFile(): string;
export function agenciesFile(): string;
export function workOfCrossref(name: string): Readonly<Record<string, unknown>>;
export function workFor(name: string): Readonly<Record<string, unknown>>;
export const workQuery: string;
