// How much goes into one request.

export interface ListedInput {
  readonly index: number;
  readonly input: string;
}

// The price of one request is limited, and a long input costs several times as much as a short one. Of this app's operation twice as many inputs would be too many.
const UNITS_A_REQUEST = 500;
const CHARACTERS_A_UNIT = 64;

/** Splits a list into parts for one request each, in order. */
export function splitList(list: readonly ListedInput[]): readonly (readonly ListedInput[])[] {
  const parts: ListedInput[][] = [];
  let room = 0;
  for (const listed of list) {
    const units = 1 + Math.floor(listed.input.length / CHARACTERS_A_UNIT);
    if (units > room) {
      parts.push([]);
      room = UNITS_A_REQUEST;
    }
    parts.at(-1)?.push(listed);
    room -= units;
  }
  return parts;
}
