// Recognises other identifiers by their form and check digit, for inputs that are not DOI names.

import { bareText, type Recognised } from './recognise.ts';

/** Of an identifier with its label or site, in UTF-16 units. Only handles and URLs can be longer. */
const MAX_LENGTH = 200;

/** The ASCII hyphen, and the hyphens and dashes that typesetters put in its place. */
const HYPHEN = '[-\u2010-\u2013]';
const SITE = '(?:https?://)?(?:www\\.)?';

function wholeText(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})/?(?:[?#]\\S*)?$`, 'i');
}

/** The archives that assigned identifiers before April 2007. */
const ARXIV_ARCHIVE =
  'acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|' +
  'funct-an|gr-qc|hep-(?:ex|lat|ph|th)|math(?:-ph)?|mtrl-th|nlin|nucl-(?:ex|th)|patt-sol|physics|plasm-ph|q-alg|' +
  'q-bio|quant-ph|solv-int|supr-con';
const ARXIV_MONTH = '[0-9]{2}(?:0[1-9]|1[0-2])';
const ARXIV = wholeText(
  '(?:arxiv:\\s*|(?:https?://)?(?:www\\.|export\\.)?arxiv\\.org/(?:abs|pdf|html|format)/)?' +
    `(${ARXIV_MONTH}\\.[0-9]{4,5}|(${ARXIV_ARCHIVE})(?:\\.[a-z-]{2,8})?/${ARXIV_MONTH}[0-9]{3})` +
    '(?:v[1-9][0-9]*)?(?:\\.pdf)?(?:\\s*\\[[a-z.-]+\\])?',
);
const ORCID = wholeText(
  `(?:orcid(?:\\s*id)?:?\\s*|${SITE}orcid\\.org/)?([0-9]{4}(?:-[0-9]{4}){2}-[0-9]{3}[0-9x])`,
);
const ROR = wholeText(`(?:ror:\\s*|${SITE}ror\\.org/)?(0[0-9a-hjkmnp-tv-z]{6}[0-9]{2})`);
const ISSN = wholeText(
  `(?:(?:urn:)?[ep]?-?issn(?:-?l)?:?\\s*|${SITE}portal\\.issn\\.org/resource/issn/)?([0-9]{4}${HYPHEN}[0-9]{3}[0-9x])`,
);
const ISBN = wholeText(`(?:(?:urn:)?e?-?isbn(?:[- ]?1[03])?:?\\s*)?([0-9](?:[0-9 ]|${HYPHEN}){7,18}[0-9x])`);
const PMID = wholeText(
  `(?:pmid:?\\s*|${SITE}(?:pubmed\\.ncbi\\.nlm\\.nih\\.gov|ncbi\\.nlm\\.nih\\.gov/pubmed)/)[1-9][0-9]{0,8}`,
);
const PMCID = wholeText(
  `(?:pmcid:?\\s*|${SITE}(?:ncbi\\.nlm\\.nih\\.gov/pmc|pmc\\.ncbi\\.nlm\\.nih\\.gov|europepmc\\.org)/articles?/(?:pmc/)?)?` +
    'pmc[1-9][0-9]{0,8}(?:\\.[0-9]{1,2})?',
);

const IS_KIND = {
  ARXIV: (text: string) => arxivDoi(text) !== null,
  ORCID: (text: string) => isOrcid(ORCID.exec(text)?.[1] ?? ''),
  ROR: (text: string) => isRor(ROR.exec(text)?.[1] ?? ''),
  ISSN: (text: string) => isIssn(ISSN.exec(text)?.[1] ?? ''),
  ISBN: (text: string) => isIsbn(ISBN.exec(text)?.[1] ?? ''),
  PMID: (text: string) => PMID.test(text),
  PMCID: (text: string) => PMCID.test(text),
};
const KINDS = Object.keys(IS_KIND) as (keyof typeof IS_KIND)[];

export type OtherIdentifier = keyof typeof IS_KIND | 'SHORT_DOI' | 'HANDLE' | 'URL';

/** A handle without a label must have a prefix of digits and full stops, such as `20.500.12345`. */
const HANDLE = /^[0-9]+(?:\.[0-9a-z]+)+\/./i;
/** After `hdl:`, every text with a slash is a handle. */
const LABELLED_HANDLE = /^[^\s/]+\/./;
const URL_START = /^(?:(?:https?|ftp):\/\/|\/\/|www\.)[^\s/?#.]+[.:][^\s/?#]/i;

/** The kind of an input; null for an unknown kind, and for a wrong check digit. */
export function looksLike(input: string, { form, encodedName, url }: Recognised): OtherIdentifier | null {
  const text = bareText(input);
  if (text.length <= MAX_LENGTH && /[0-9]/.test(text)) {
    const found = KINDS.find((kind) => IS_KIND[kind](text));
    if (found) return found;
  }
  if (HANDLE.test(encodedName) || (form === 'HANDLE_URI' && LABELLED_HANDLE.test(encodedName)))
    return 'HANDLE';
  return url !== undefined || URL_START.test(text) ? 'URL' : null;
}

/** The DOI name that arXiv registers for a paper, from its identifier or URL. Ignores the version and subject class. */
export function arxivDoi(input: string): string | null {
  const text = bareText(input);
  const [, id, archive] = (text.length <= MAX_LENGTH && ARXIV.exec(text)) || [];
  if (id === undefined) return null;
  return `10.48550/arXiv.${archive === undefined ? id : archive.toLowerCase() + id.slice(id.indexOf('/'))}`;
}

/** ISO 3297: weights 8 to 1, modulus 11. */
function isIssn(written: string): boolean {
  return weightedSum(digitsOf(written), (at) => 8 - at) % 11 === 0 && written !== '';
}

/** ISO 2108: modulus 11 for ten digits, modulus 10 for thirteen digits that begin with 978 or 979. */
function isIsbn(written: string): boolean {
  const digits = digitsOf(written);
  if (digits.length === 10) return weightedSum(digits, (at) => 10 - at) % 11 === 0;
  if (digits.length !== 13 || !/^97[89][^x]*$/i.test(digits)) return false;
  return weightedSum(digits, (at) => (at % 2 === 0 ? 1 : 3)) % 10 === 0;
}

/** ISO 7064, MOD 11-2. */
export function isOrcid(written: string): boolean {
  const digits = digitsOf(written);
  if (digits.length !== 16) return false;
  let total = 0;
  for (const digit of digits.slice(0, -1)) total = (total + Number(digit)) * 2;
  return (12 - (total % 11)) % 11 === digitValue(digits.slice(-1));
}

/** Crockford's alphabet of digits, which ROR uses. */
const BASE_32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** ISO 7064, MOD 97-10: the last two digits check the base-32 number of the first seven characters. */
function isRor(written: string): boolean {
  if (written === '') return false;
  let number = 0;
  for (const character of written.slice(0, 7).toLowerCase())
    number = number * 32 + BASE_32.indexOf(character);
  return 98 - ((number * 100) % 97) === Number(written.slice(7));
}

function digitsOf(written: string): string {
  return written.replace(/[^0-9x]/gi, '');
}

/** The digit `X` has the value 10. */
function digitValue(digit: string): number {
  return /x/i.test(digit) ? 10 : Number(digit);
}

function weightedSum(digits: string, weight: (at: number) => number): number {
  return [...digits].reduce((sum, digit, at) => sum + digitValue(digit) * weight(at), 0);
}
