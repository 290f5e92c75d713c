// From pasted text to a list of inputs.

const separator = /([\s,;]+)/;
const beginsDoi = /^[<"'(]?(?:https?:|doi:|hdl:|urn:|info:|(?:dx\.|www\.)?doi\.org\/|10\.\d)/i;

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
    if (last < 0 || beginsDoi.test(part)) inputs.push(part);
    else inputs[last] += held + part;
  });
  return inputs;
}
