// Types of data.mjs, for the bench.

export interface PeerAnswer {
  readonly name: string;
  readonly uri: string;
  readonly url: string;
}

export const names: readonly string[];
export function handleValues(name: string): readonly unknown[];
export const records: ReadonlyMap<string, PeerAnswer>;
export const query: string;
export function directoryFile(): string;
export function agenciesFile(): string;
