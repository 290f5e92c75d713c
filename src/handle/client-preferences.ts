// Reads from a client's headers which locations the client prefers: content negotiation at the DOI proxy, for programs and
// for people (DOI Handbook; reference proxy 9.3.1).

export interface ClientHeaders {
  readonly accept?: string | null | undefined;
  readonly acceptLanguage?: string | null | undefined;
  readonly userAgent?: string | null | undefined;
}

export interface ClientPreferences {
  /** whether the client is a program that accepts data, and not a person */
  readonly wantsData: boolean;
  /** attributes for `chooseLocation`, in order: the client's own `locatt` comes before them */
  readonly locatt: readonly string[];
}

/** A media range of an Accept header, or a language of Accept-Language. */
export interface AcceptedType {
  /** in lower case, without parameters: `application/x-bibtex` */
  readonly type: string;
  readonly quality: number;
  /** The names are in lower case, the values unchanged: `style`, `locale`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A longer header is ignored, because it takes long to parse. The headers of browsers have about 200 characters. */
const MAX_CHARACTERS = 1_000;
/** A header with more ranges is ignored, because each range is compared with each type or location. */
const MAX_RANGES = 50;

/** Undefined for a header that is missing or ignored. */
export function usableHeader(header: string | null | undefined): string | undefined {
  if (header === null || header === undefined || header.length > MAX_CHARACTERS) return undefined;
  let ranges = 1;
  for (let comma = header.indexOf(','); comma !== -1; comma = header.indexOf(',', comma + 1)) ranges += 1;
  return ranges > MAX_RANGES ? undefined : header;
}

/** The last pair for a program. Persons cannot choose a location by this pair. */
export const FOR_PROGRAMS = 'http_role:conneg';
/** A client without an opinion: no Accept header, or only the range for everything, and no browser. */
const NO_OPINION = ['http_role:no_conneg'];
const BROWSER = ['http_role:browser'];
const HTML = ['ctype:text/html', 'media-type:text/html'];

export function readPreferences({ accept, acceptLanguage, userAgent }: ClientHeaders): ClientPreferences {
  const ranges = readRanges(usableHeader(accept) ?? '', MEDIA_RANGE);
  const data = dataTypesOf(ranges);
  const languages = readRanges(usableHeader(acceptLanguage) ?? '', LANGUAGE)
    .filter(({ quality }) => quality > 0)
    .map(({ type }) => `language:${type}`);
  const first = data === null ? forPerson(ranges, userAgent ?? '') : forProgram(data);
  return { wantsData: data !== null, locatt: [...first, ...languages] };
}

function forProgram(data: readonly AcceptedType[]): readonly string[] {
  return [...data.flatMap(({ type }) => [`ctype:${type}`, `media-type:${type}`]), FOR_PROGRAMS];
}

function forPerson(ranges: readonly AcceptedType[], userAgent: string): readonly string[] {
  if (ranges.every(({ type }) => type === '*/*')) {
    return /^\s*(?:mozilla|opera)\//i.test(userAgent) ? [...BROWSER, ...HTML] : NO_OPINION;
  }
  const takesHtml = ranges.some(({ type, quality }) => TAKES_HTML.has(type) && quality > 0);
  return takesHtml ? [...BROWSER, ...HTML] : BROWSER;
}

const TAKES_HTML = new Set(['text/html', 'text/*', '*/*']);

/**
 * The types of metadata that a program accepts, best first. The list ends before the first range with `*`. Null for a
 * person: the highest quality belongs to a type that browsers want, such as HTML. The DOI proxy has the same rule.
 */
export function readDataTypes(accept: string): readonly AcceptedType[] | null {
  return dataTypesOf(readRanges(accept, MEDIA_RANGE));
}

const FOR_PEOPLE =
  /\*|^(?:text\/x?html|application\/xhtml\+xml|application\/pdf|image\/.*|audio\/.*|video\/.*)$/;

function dataTypesOf(ranges: readonly AcceptedType[]): readonly AcceptedType[] | null {
  const [best] = ranges;
  const forPeople = ranges.find(({ type }) => FOR_PEOPLE.test(type));
  if (best === undefined || best.quality <= (forPeople?.quality ?? 0)) return null;
  const wildcard = ranges.findIndex(({ type }) => type.includes('*'));
  return Object.freeze(
    (wildcard === -1 ? ranges : ranges.slice(0, wildcard)).filter(({ quality }) => quality > 0),
  );
}

const MEDIA_RANGE = /^(?:[^\s/]+\/[^\s/]+|\*)$/;
const LANGUAGE = /^[A-Za-z0-9-]+$/;

/** Sorts by quality. Ranges of equal quality keep the order of the header. Skips invalid ranges. */
function readRanges(header: string, valid: RegExp): readonly AcceptedType[] {
  const ranges = header.match(/(?:[^,"]|"(?:\\.|[^"\\])*")+/g) ?? [];
  return ranges.flatMap((range) => readRange(range, valid) ?? []).sort((a, b) => b.quality - a.quality);
}

function readRange(range: string, valid: RegExp): AcceptedType | null {
  const [type = '', ...rest] = range.split(';').map((part) => part.trim());
  if (!valid.test(type)) return null;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [, name, value = ''] = /^([^\s=]+)\s*=\s*"?([^"]*?)"?$/.exec(part) ?? [];
    if (name !== undefined && !parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return Object.freeze({ type: type.toLowerCase(), quality: toQuality(parameters.get('q')), parameters });
}

/** Returns 1 for an invalid quality. The result can be more than 1, because some clients send more. */
function toQuality(text: string | undefined): number {
  return text !== undefined && /^(?:\d{1,9}\.?\d{0,9}|\.\d{1,9})$/.test(text) ? Number(text) : 1;
}
