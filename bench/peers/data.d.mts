// Types of data.mjs, for the bench.

export interface PeerAnswer {
  readonly name: string;
  readonly uri: string;
  readonly url: string;
}

/** What all names begin with, and the number that ends the first of them. */
export const NAME_START: string;
export const FIRST_NAME: number;
export const names: readonly string[];
export function handleValues(name: string): readonly unknown[];
export const records: ReadonlyMap<string, PeerAnswer>;
export const query: string;
export function directoryFile(): string;
export function agenciesFile(): string;
