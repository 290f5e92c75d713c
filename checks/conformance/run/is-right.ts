// Whether an output is right. Two spellings of a name that differ in the case of ASCII letters are one name.

import type { Case, Outputs, Task, Warning } from './vectors.ts';

type Checks = { readonly [T in Task]: (output: Partial<Outputs[T]>, testCase: Case<T>) => boolean };

const CHECKS: Checks = {
  parse: ({ name }, { expected }) => isSameName(name, expected.name),
  encode: ({ text }, { expected, accept }) =>
    text === expected.text || (accept !== undefined && isUrlOf(text, accept)),
  equivalence: ({ equivalent }, { expected }) => equivalent === expected.equivalent,
  find: ({ names }, { expected }) =>
    Array.isArray(names) &&
    names.length === expected.names.length &&
    expected.names.every((name, index) => isSameName(names[index], name)),
  warnings: ({ warnings }, { expected }) =>
    Array.isArray(warnings) &&
    (expected.warnings.length === 0
      ? warnings.length === 0
      : expected.warnings.every((warning) => warnings.some((each) => isSameWarning(each, warning)))),
};

export function isRight<T extends Task>(task: T, testCase: Case<T>, output: unknown): boolean {
  return typeof output === 'object' && output !== null && CHECKS[task](output, testCase);
}

function isSameName(a: unknown, b: string | null): boolean {
  return typeof a === 'string' && b !== null ? folded(a) === folded(b) : a === b;
}

function folded(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isSameWarning(a: Partial<Warning> | null, b: Warning): boolean {
  return a?.code === b.code && a.position === b.position && a.repaired === b.repaired;
}

/**
 * A browser that gets the URL requests this name: an ASCII URL of doi.org without query and fragment, whose path is the
 * name after one decoding.
 */
function isUrlOf(
  text: unknown,
  { name, without }: { readonly name: string; readonly without: string },
): boolean {
  if (typeof text !== 'string' || !/^[!-~]+$/.test(text) || [...without].some((each) => text.includes(each)))
    return false;
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, host, pathname } = new URL(text);
  if (!/^https?:$/.test(protocol) || !/^(?:dx\.)?doi\.org$/.test(host)) return false;
  try {
    return decodeURIComponent(pathname) === `/${name}`;
  } catch {
    return false;
  }
}
