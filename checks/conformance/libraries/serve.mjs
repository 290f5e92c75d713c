// What the adapters in JavaScript share: they read requests, and respond to each.

import { createInterface } from 'node:readline';

/** @param answers by task: the output, or `undefined` for what the library does not promise */
export async function serve(answers) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, task, notation, input } = JSON.parse(line);
    const output = answers[task]?.(input, notation);
    console.log(JSON.stringify(output === undefined ? { id, unsupported: true } : { id, output }));
  }
}

/** Every library promises to refuse a text that is no DOI. */
const ALWAYS = 'none';

/**
 * An answer to `parse`: `read` gets texts in the notations that the library promises, and `readName` a
 * name alone, where the library promises that. Both return null for a text that is no DOI.
 */
export function parseOf({ notations, read, readName }) {
  return ({ text, form }, notation) => {
    if (form === 'NAME') return readName && { name: readName(text) ?? null };
    const isPromised = form === undefined && [...notations, ALWAYS].includes(notation);
    return isPromised ? { name: read(text) ?? null } : undefined;
  };
}

/** An answer to `encode`: a URL is the only form that the libraries promise. */
export function encodeOf(urlOf) {
  return ({ name, form }) =>
    form === 'url' || form === 'urlMandatory' ? { text: urlOf(name) ?? null } : undefined;
}
