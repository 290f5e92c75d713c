// Suggests DOI names that were probably meant, for a name that does not exist. The suggestions are not looked up.

import type { Lookalikes } from './lookalikes.ts';
import { type DoiName, isDigit, prefixOf } from './name.ts';
import { parseDoi } from './parse.ts';
import { doiWarnings } from './warnings.ts';

/** The name with ASCII in place of imitations. Null if it has no imitation, or if the result is not a DOI name. */
export function asciiLookalike(name: DoiName, lookalikes: Lookalikes | null): DoiName | null {
  const text = lookalikes?.withoutImitations(name) ?? null;
  return text === null ? null : parseDoi(text, 'NAME').name;
}

const MAX_REPAIRS = 5;

/**
 * At most five other DOI names, the most probable first. In the last name, every warning of `name` is repaired; in each
 * name before it, one warning is repaired. Without `lookalikes`, imitations are not repaired.
 */
export function repairsOf(name: DoiName, lookalikes: Lookalikes | null): DoiName[] {
  const repaired = doiWarnings(name, lookalikes).map((warning) => warning.repaired);
  const withOneRepair = otherNames(name, [asciiLookalike(name, lookalikes), ...repaired]);
  return otherNames(name, [...withOneRepair.slice(0, MAX_REPAIRS - 1), whollyRepaired(name, lookalikes)]);
}

/** The texts that are DOI names, each once, without the name itself. */
function otherNames(name: DoiName, texts: readonly (string | null)[]): DoiName[] {
  const names = texts.flatMap((text) => (text === null ? [] : (parseDoi(text, 'NAME').name ?? [])));
  return [...new Set(names)].filter((candidate) => candidate !== name);
}

/** At most this many repairs of one name, one after the other. */
const MAX_STEPS = 8;

function whollyRepaired(name: DoiName, lookalikes: Lookalikes | null): string {
  let repaired = name;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const next = doiWarnings(repaired, lookalikes).find((warning) => warning.repaired !== null)?.repaired;
    if (!next) break;
    repaired = next;
  }
  return lookalikes?.withoutImitations(repaired) ?? repaired;
}

/**
 * The names with one typing error corrected: a digit typed twice, or two neighbouring digits exchanged. Errors in the
 * suffix come first, then errors in the registrant code. @param max the maximum number of texts to try
 */
export function digitTypos(name: DoiName, max: number): DoiName[] {
  const suffix = prefixOf(name).length + 1;
  const registrantCode = name.indexOf('.') + 1;
  const texts: string[] = [];
  for (const [from, to] of [
    [suffix, name.length],
    [registrantCode, suffix],
  ] as const) {
    for (const typo of [withoutDouble, withNeighboursSwapped]) {
      for (let at = from; at + 1 < to && texts.length < max; at += 1) {
        const areDigits = isDigit(name.charCodeAt(at)) && isDigit(name.charCodeAt(at + 1));
        const text = areDigits ? typo(name, at) : null;
        if (text !== null) texts.push(text);
      }
    }
  }
  return otherNames(name, texts);
}

/** Characters that people confuse, in print and on a keyboard. */
const TAKEN_FOR: Readonly<Record<string, string>> = { '0': 'o', o: '0', O: '0', '1': 'l', l: '1', I: '1' };

/** Changes one digit of the suffix to a similar letter, or the reverse. @param max the maximum number of texts to try */
export function letterTypos(name: DoiName, max: number): DoiName[] {
  const texts: string[] = [];
  for (let at = prefixOf(name).length + 1; at < name.length && texts.length < max; at += 1) {
    const meant = TAKEN_FOR[name[at] ?? ''];
    if (meant !== undefined) texts.push(name.slice(0, at) + meant + name.slice(at + 1));
  }
  return otherNames(name, texts);
}

/** Removes the digit at `at` if it is the first of two or more equal digits. Null at every other digit. */
function withoutDouble(name: string, at: number): string | null {
  return name[at] === name[at + 1] && name[at] !== name[at - 1]
    ? name.slice(0, at) + name.slice(at + 1)
    : null;
}

function withNeighboursSwapped(name: string, at: number): string | null {
  const [first = '', second = ''] = name.slice(at, at + 2);
  return first === second ? null : name.slice(0, at) + second + first + name.slice(at + 2);
}
