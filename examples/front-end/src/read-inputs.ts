// From pasted text to a list of inputs.

import { parse } from 'doi-names';

const separator = /([\s,;]+)/;

/**
 * One input a line. Several on one line are told apart by white space, commas or semicolons, but only where
 * the next begins like a DOI: a DOI name may hold all of these itself.
 */
export function readInputs(text: string): readonly string[] {
  return text.split(/[\r\n]+/).flatMap(readLine);
}

function readLine(line: string): readonly string[] {
  const inputs: string[] = [];
  let held = '';
  // Texts are at even places, what separates them is at odd ones.
  line.split(separator).forEach((part, place) => {
    if (place % 2 === 1) {
      held = part;
      return;
    }
    if (part === '') return;
    const last = inputs.length - 1;
    if (last < 0 || isIdentifier(part)) inputs.push(part);
    else inputs[last] += held + part;
  });
  return inputs;
}

/** A DOI in any form, whole or not, or what is known to be another identifier. */
function isIdentifier(part: string): boolean {
  const { form, problem } = parse(part);
  return form !== null || (problem?.looksLike ?? null) !== null;
}
