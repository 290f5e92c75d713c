// Names that a name which does not exist was probably meant to be.

import type { Lookalikes } from './lookalikes.ts';
import { type DoiName, prefixOf } from './name.ts';
import { parseDoi } from './parse.ts';
import { doiWarnings } from './warnings.ts';

/** The name without imitations; null where it has none, or where that is no DOI name. */
export function asciiLookalike(name: DoiName, lookalikes: Lookalikes | null): DoiName | null {
  const text = lookalikes?.withoutImitations(name) ?? null;
  return text === null ? null : parseDoi(text, 'NAME').name;
}

const MAX_REPAIRS = 5;

/**
 * At most five DOI names, the likeliest first, none of them the name itself: without one thing that is wrong
 * with it each, and at last without all of it. Whether they exist is not known. Without `lookalikes`, imitations stay.
 */
export function repairsOf(name: DoiName, lookalikes: Lookalikes | null): DoiName[] {
  const repaired = doiWarnings(name, lookalikes).map((warning) => warning.repaired);
  const once = otherNames(name, [asciiLookalike(name, lookalikes), ...repaired]);
  return otherNames(name, [...once.slice(0, MAX_REPAIRS - 1), wholly(name, lookalikes)]);
}

/** The texts that are DOI names, each once, without the name itself. */
function otherNames(name: DoiName, texts: readonly (string | null)[]): DoiName[] {
  const names = texts.flatMap((text) => (text === null ? [] : (parseDoi(text, 'NAME').name ?? [])));
  return [...new Set(names)].filter((candidate) => candidate !== name);
}

/** More than one thing after the other that anybody does to a name. */
const MAX_STEPS = 8;

function wholly(name: DoiName, lookalikes: Lookalikes | null): string {
  let rest = name;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const repaired = doiWarnings(rest, lookalikes).find((warning) => warning.repaired !== null)?.repaired;
    if (!repaired) break;
    rest = repaired;
  }
  return lookalikes?.withoutImitations(rest) ?? rest;
}

/**
 * So many DOI names at most in which one digit less is doubled, or two neighbours stand the other way round: first
 * those of the suffix, then those of the registrant code. Whether they exist is not known.
 */
export function digitTypos(name: DoiName, most: number): DoiName[] {
  const suffix = prefixOf(name).length + 1;
  const registrantCode = name.indexOf('.') + 1;
  const texts: string[] = [];
  for (const [from, to] of [
    [suffix, name.length],
    [registrantCode, suffix],
  ] as const) {
    for (const typo of [withoutDouble, withNeighboursSwapped]) {
      for (let at = from; at + 1 < to && texts.length < most; at += 1) {
        const text = isDigit(name[at]) && isDigit(name[at + 1]) ? typo(name, at) : null;
        if (text !== null) texts.push(text);
      }
    }
  }
  return otherNames(name, texts);
}

/** Characters that are confused on paper and on a keyboard. Case does not matter in a name. */
const TAKEN_FOR: Readonly<Record<string, string>> = { '0': 'o', o: '0', O: '0', '1': 'l', l: '1', I: '1' };

/** So many DOI names at most in which one letter of the suffix is a digit that looks like it, or the other way round. Whether they exist is not known. */
export function letterTypos(name: DoiName, most: number): DoiName[] {
  const texts: string[] = [];
  for (let at = prefixOf(name).length + 1; at < name.length && texts.length < most; at += 1) {
    const meant = TAKEN_FOR[name[at] ?? ''];
    if (meant !== undefined) texts.push(name.slice(0, at) + meant + name.slice(at + 1));
  }
  return otherNames(name, texts);
}

/** Of a run of equal digits once. */
function withoutDouble(name: string, at: number): string | null {
  return name[at] === name[at + 1] && name[at] !== name[at - 1]
    ? name.slice(0, at) + name.slice(at + 1)
    : null;
}

function withNeighboursSwapped(name: string, at: number): string | null {
  const [first = '', second = ''] = name.slice(at, at + 2);
  return first === second ? null : name.slice(0, at) + second + first + name.slice(at + 2);
}

function isDigit(character = ''): boolean {
  return character >= '0' && character <= '9';
}
