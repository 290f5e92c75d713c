// @ts-check
// Removes names of arguments and fields, and offsets, from the gateway's messages. Only programs need them.

/** @type {readonly (readonly [written: RegExp, instead: string])[]} */
const INSTEAD = [
  [/[:,] `repaired`, if that is meant\./g, '.'],
  [/ at offset \d+/g, ''],
  [/: ask shortDoi\(input: .*?\) for the DOI it stands for\./gs, '.'],
  [/, or pass form: NAME to take the name as it is/g, ''],
  [/Use `url`, which/g, 'Use its link, which'],
];

/** @param {string} message of a problem or a warning */
export function forReaders(message) {
  return INSTEAD.reduce((words, [written, instead]) => words.replace(written, instead), message);
}
