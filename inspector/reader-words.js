// @ts-check
// Removes offsets, and names of arguments and fields, from the gateway's messages. Only programs need these parts.

/** @type {readonly (readonly [written: RegExp, instead: string])[]} */
const INSTEAD = [
  [/ If you mean that name, use `repaired`\./g, ''],
  [/ at offset \d+/g, ''],
  [/ Query shortDoi\(input: .*?\) for the DOI name\./gs, ''],
  [/, or pass form: NAME to read the name without decoding/g, ''],
  [/Use `url`:/g, 'Use its link:'],
];

/** @param {string} message of a problem or a warning */
export function forReaders(message) {
  return INSTEAD.reduce((words, [written, instead]) => words.replace(written, instead), message);
}
