export function workOfCrossref(name: string): Readonly<Record<string, unknown>>;
export function workFor(name: string): Readonly<Record<string, unknown>>;
export const workQuery: string;
