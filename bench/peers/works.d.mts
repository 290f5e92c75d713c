export function cslFor(name: string): Readonly<Record<string, unknown>>;
export function citationFor(name: string): string;
export function workFor(name: string): Readonly<Record<string, unknown>>;
export const workQuery: string;
