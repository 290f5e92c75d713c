// How large a response is, before it is made into text: V8's strings end at half a gigabyte, and memory before that.

import type { GraphQLError } from 'graphql';
import { GatewayError } from '../errors.ts';

/** What a response, or a part of one, consists of. */
export interface Measured {
  readonly data?: unknown;
  readonly incremental?: unknown;
  readonly errors?: readonly GraphQLError[] | undefined;
}

/** About how many bytes it takes as JSON; counts no further than just beyond `most`. */
export function responseBytes({ data, incremental, errors = [] }: Measured, most: number): number {
  return jsonBytes([data, incremental, errors.map((error) => error.toJSON())], most);
}

const PUNCTUATION = 3;

function jsonBytes(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + PUNCTUATION;
  if (typeof value !== 'object' || value === null) return PUNCTUATION;
  let bytes = PUNCTUATION;
  if (Array.isArray(value)) {
    for (const item of value) {
      bytes += jsonBytes(item, most - bytes);
      if (bytes > most) return bytes;
    }
    return bytes;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    bytes += key.length + PUNCTUATION + jsonBytes(members[key], most - bytes);
    if (bytes > most) return bytes;
  }
  return bytes;
}

export function responseTooLarge(maxBytes: number): GatewayError {
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The answer would be larger than the ${maxBytes} bytes that this gateway allows. Ask for fewer DOIs or fewer fields at once, and by short aliases.`,
  });
}
