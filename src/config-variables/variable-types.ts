// The types of variables. Each type checks the text of a variable and converts it.

import { isIP } from 'node:net';
import { z } from 'zod';

export interface Variable {
  readonly type: z.ZodType<unknown, string>;
  /** If there is no default, the variable stays unset. */
  readonly default?: string;
  /** a column of docs/configuration.md */
  readonly meaning: string;
  /** a column of docs/configuration.md: the situation in which to change the variable */
  readonly changeWhen: string;
  /** another name of the variable; used if the variable itself is unset */
  readonly alias?: string;
  /** whether the variable, or the file that it names, can hold a secret */
  readonly isSecret?: boolean;
  /** hides secrets in the text of the variable, for error messages */
  readonly redact?: (text: string) => string;
}

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

export const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  z.enum(words, { error: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` });

export const yesOrNo = oneOf('yes', 'no').transform((text) => text === 'yes');

export const workerCount = z
  .string()
  .refine(
    (text) => text === 'auto' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 256),
    'must be a whole number from 1 to 256, or auto',
  )
  .transform((text) => (text === 'auto' ? text : Number(text)));

/** Makes the type of a variable. `parse` converts the text of the variable, and returns null for a wrong text. */
const createType = <Value>(rule: string, parse: (text: string) => Value | null) =>
  z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value === null) context.addIssue({ code: 'custom', message: `must be ${rule}` });
    return value ?? z.NEVER;
  });

/** The values of all texts. Null if one text is wrong. */
function allOf<Value>(texts: readonly string[], parse: (text: string) => Value | null) {
  const values = texts.map(parse);
  return values.includes(null) ? null : (values as readonly Value[]);
}

function urlOf(text: string, isAllowed: (url: URL) => boolean): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && isAllowed(url) ? url : null;
}

const baseUrlOf = (text: string) =>
  urlOf(
    text,
    ({ hostname, search, hash, username, password }) =>
      !hostname.includes(',') && search + hash + username + password === '',
  );

const BASE_URL_RULE = 'an http or https URL without query, fragment or password, such as https://doi.org';

export const baseUrl = createType(BASE_URL_RULE, baseUrlOf);

export const baseUrls = createType(`${BASE_URL_RULE}, or several such URLs, separated by commas`, (text) =>
  allOf(
    text.split(',').map((url) => url.trim()),
    baseUrlOf,
  ),
);

/** The URL of a proxy for tunnels (CONNECT). It can have a user name and a password. */
export const proxyUrl = createType(
  'an http or https URL without a path, such as http://proxy.example.org:3128',
  (text) => urlOf(text, ({ pathname, search, hash }) => pathname + search + hash === '/'),
);

/** URLs that clients see, so they must have no password. */
export const serviceUrls = createType('http or https URLs without a password, separated by commas', (text) =>
  allOf(
    itemsOf(text),
    (url) => urlOf(url, ({ username, password }) => username + password === '')?.href ?? null,
  ),
);

/** Where a server listens. */
export const listenAddress = createType(
  'an address and a port, such as 127.0.0.1:9464 or [::]:9464',
  (text): { readonly host: string; readonly port: number } | null => {
    const [, v6, host = v6, port] = /^(?:\[([^\]]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text) ?? [];
    if (host === undefined || Number(port) > 65_535 || (v6 !== undefined && isIP(v6) !== 6)) return null;
    return { host, port: Number(port) };
  },
);

export interface AddressRange {
  readonly address: string;
  /** prefix length: the number of leading bits that are equal in all addresses of the range */
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

export const addressRanges = createType(
  'IP addresses or ranges such as 10.0.0.0/8 or fd00::/8, separated by commas',
  (text) => allOf(itemsOf(text), addressRangeOf),
);

function addressRangeOf(text: string): AddressRange | null {
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  if (version === 0 || Number(bits ?? maxBits) > maxBits) return null;
  return { address, bits: Number(bits ?? maxBits), family: version === 4 ? 'ipv4' : 'ipv6' };
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
