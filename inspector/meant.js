// @ts-check
// The DOI in a text that is none: in an address of somebody's site, in a sentence, with something invisible in it.

const MOST = 20_000;

/** Begins only where a run of digits and dots does, so that no place is read twice. */
const WITHIN = /(?<![\d.])10\.\d[\d.]*\/[^\s"]+/u;
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}]/gu;

/** @type {Readonly<Record<string, string>>} */
const OPENED_BY = { ')': '(', ']': '[', '}': '{', '>': '<' };

/**
 * What might be meant, to be read by the gateway before it is offered; null where there is nothing.
 * @param {string} text
 */
export function doiWithin(text) {
  const visible = text.slice(0, MOST).replaceAll(INVISIBLE, '');
  const match = WITHIN.exec(visible);
  if (!match) return null;
  // In an address the name is encoded, and ends where the query begins.
  const isInAddress = /:\/\/\S*$/.test(lineBefore(visible, match.index));
  const [found = ''] = isInAddress ? match[0].split(/[?#]/) : match;
  const name = withoutTail(found);
  return isInAddress ? `https://doi.org/${name}` : name;
}

/** So much of what stands before as an address may be long. @param {string} text @param {number} end */
function lineBefore(text, end) {
  const before = text.slice(Math.max(0, end - 500), end);
  return before.slice(before.search(/\S*$/));
}

/** Without the punctuation of a sentence, and without brackets that were opened before the name. @param {string} name */
function withoutTail(name) {
  const surplus = surplusOf(name);
  let end = name.length;
  while (end > 0) {
    const last = name[end - 1] ?? '';
    const isUnmatched = (surplus.get(last) ?? 0) > 0;
    if (isUnmatched) surplus.set(last, (surplus.get(last) ?? 0) - 1);
    else if (!/[.,;:!?'’”»…*]/.test(last)) break;
    end -= 1;
  }
  return name.slice(0, end);
}

/** By closing bracket: how many more of them there are than of those that open. @param {string} name */
function surplusOf(name) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const character of name) counts.set(character, (counts.get(character) ?? 0) + 1);
  return new Map(
    Object.entries(OPENED_BY).map(([closing, opening]) => [
      closing,
      (counts.get(closing) ?? 0) - (counts.get(opening) ?? 0),
    ]),
  );
}

/** The handle of a shortDOI: `10/p54k`. @param {string} text */
export function shortDoiWithin(text) {
  const name = text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:(?:www|dx)\.)?doi\.org\//i, '')
    .replace(/^doi:/i, '')
    .replace(/^10\//, '');
  const [found] = /^[a-z0-9]{1,40}(?=$|[?#])/i.exec(name) ?? [];
  return found === undefined ? null : `10/${found}`;
}
