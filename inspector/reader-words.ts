// Removes offsets, and names of arguments and fields, from the gateway's messages. Only programs need these parts.

const INSTEAD: readonly (readonly [written: RegExp, instead: string])[] = [
  [/ If you mean that name, use `repaired`\./g, ''],
  [/ at offset \d+/g, ''],
  [/ Query shortDoi\(input: .*?\) for the DOI name\./gs, ''],
  [/, or pass form: NAME to read the name without decoding/g, ''],
  [/Use `url`:/g, 'Use its link:'],
];

/** @param message of a problem or a warning */
export function forReaders(message: string) {
  return INSTEAD.reduce((words, [written, instead]) => words.replace(written, instead), message);
}
