// The API's codes in words. The API can get new codes, so each table also has words for unknown codes.

import type { Redirect } from './answers.ts';

const textFor = (table: Record<string, string>, code: string, otherwise: string) =>
  Object.hasOwn(table, code) ? (table[code] ?? otherwise) : otherwise;

/** @param form of ParsedDOI */
export const formInWords = (form: string) =>
  textFor(
    {
      NAME: 'the DOI name itself',
      WEB_FORM: 'a bare DOI name, as typed into a web form',
      URI: 'a DOI Name URI',
      URL: 'a link to a DOI proxy',
      URN: 'the URN form',
      INFO_URI: 'an info URI',
      HANDLE_URI: 'a handle URI or link',
    },
    form,
    `the form ${form}`,
  );

/** @param kind of OtherIdentifier */
export const otherIdentifierInWords = (kind: string) =>
  textFor(
    {
      SHORT_DOI: 'a shortDOI',
      HANDLE: 'a handle',
      ARXIV: 'an arXiv identifier',
      ISBN: 'an ISBN',
      ISSN: 'an ISSN',
      PMID: 'a PubMed identifier',
      PMCID: 'a PubMed Central identifier',
      ORCID: 'an ORCID iD',
      ROR: 'a ROR identifier',
      URL: 'an address on the web',
    },
    kind,
    kind,
  );

/** @param status of HandleRecord @param isEmbedded whether the directory is embedded */
export const statusInWords = (status: string, isEmbedded: boolean) =>
  textFor(
    {
      SUCCESS: 'Registered',
      VALUES_NOT_FOUND: 'Registered, without values',
      HANDLE_NOT_FOUND: isEmbedded ? 'Not in the embedded directory' : 'Not registered',
      ERROR: 'The directory failed',
    },
    status,
    status,
  );

/** @param status of WhichRA */
export const whichRaInWords = (status: string) =>
  textFor(
    {
      FOUND: 'The agency is known.',
      DOES_NOT_EXIST: 'This name is not registered.',
      UNKNOWN: 'The name exists, but its agency is not known.',
      INVALID_DOI: 'The service does not accept the name as a DOI.',
    },
    status,
    `The service says ${status}.`,
  );

/** Like `whichRaInWords`, for an embedded directory. @param status of WhichRA */
export const embeddedRaInWords = (status: string) =>
  status === 'DOES_NOT_EXIST'
    ? 'The name is not in the embedded directory, so its agency is not known here.'
    : 'The embedded directory does not name the agency of this prefix.';

/** The reason for missing metadata, as the end of a sentence. */
export const workFailureInWords = (code: string, otherwise: string) =>
  textFor(
    {
      UPSTREAM_TIMEOUT: 'the service that describes it is slow.',
      DEADLINE_EXCEEDED: 'the service that describes it is slow.',
      UPSTREAM_UNAVAILABLE: 'the service that describes it is down.',
      UPSTREAM_RATE_LIMITED: 'the service that describes it gets too many requests.',
      GATEWAY_BUSY: 'the service that describes it gets too many requests.',
      RATE_LIMITED: 'this gateway gets too many requests from you.',
      UPSTREAM_BAD_RESPONSE: 'the response of the service that describes it cannot be read.',
      UNREACHABLE: 'the gateway cannot be reached.',
    },
    code,
    otherwise,
  );

/** @param outcome of ReferenceMatch */
export const matchInWords = (outcome: string) =>
  textFor(
    {
      FOUND: 'Found',
      DIFFERS: 'One work, but it differs',
      SEVERAL: 'Several works fit: choose one',
      NOT_FOUND: 'Not found',
    },
    outcome,
    outcome,
  );

/** @param detail of ReferenceEvidence */
export const detailInWords = (detail: string) =>
  textFor({ DOI: 'DOI', CONTAINER: 'journal or book' }, detail, detail.toLowerCase());

/** @param relation of DOIEquivalence */
export const relationInWords = (relation: string) =>
  textFor(
    {
      IDENTICAL: 'The same name',
      CASE: 'The same DOI, in another case',
      TRAILING_SLASH: 'Two DOIs: a slash apart',
      DOUBLE_ENCODING: 'Two DOIs: one encoded once more',
      NORMALIZATION: 'Two DOIs that look the same',
      NON_LATIN_CASE: 'Two DOIs: another case outside A–Z',
      CONFUSABLE: 'Two DOIs that look alike',
      DISTINCT: 'Two DOIs',
      INVALID: 'Not comparable',
    },
    relation,
    relation,
  );

export function choiceInWords({ chosenBy, location, candidates }: Redirect) {
  const country = location?.country ? ` (${location.country.toUpperCase()})` : '';
  return textFor(
    {
      URL: 'A plain URL value of the record decides.',
      ONLY_LOCATION: 'The record lists locations, and only one of them can be chosen.',
      LOCATT: 'The requested attributes leave one location.',
      COUNTRY: `The reader’s country${country} leaves one location.`,
      WEIGHTED:
        candidates.length > 1
          ? `Drawn by weight among ${count(candidates.length, 'location')}: the next request may get another location.`
          : 'The weights leave one location.',
      NONE: 'The record has no address for a reader.',
    },
    chosenBy,
    `Chosen by ${chosenBy}.`,
  );
}

export const httpStatusInWords = (code: number) =>
  textFor(
    {
      301: 'a permanent redirect',
      302: 'a temporary redirect',
      303: 'a redirect to another page',
      307: 'a temporary redirect, by the same method',
      308: 'a permanent redirect, by the same method',
    },
    String(code),
    'redirection',
  );

export function count(number: number, noun: string, nouns: string = `${noun}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : nouns}`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Examples: `1 day`, `1 hour 30 minutes`. */
export function duration(seconds: number) {
  let rest = Math.abs(Math.trunc(seconds));
  const parts = [];
  for (const [unit, length] of UNITS) {
    if (rest < length || parts.length === 2) continue;
    parts.push(count(Math.floor(rest / length), unit));
    rest %= length;
  }
  const text = parts.join(' ') || '0 seconds';
  return seconds < 0 ? `minus ${text}` : text;
}

const moments = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** @param text in the format of RFC 3339, or any other text */
export function moment(text: string) {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : `${moments.format(time)} UTC`;
}

/** @param permission such as `READ_VALUE` */
export const permissionInWords = (permission: string) => permission.toLowerCase().replaceAll('_', ' ');
