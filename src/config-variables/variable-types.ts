// The types of variables. Each type checks the text of a variable and converts it.

import { isIP } from 'node:net';
import { z } from 'zod';

export interface Variable {
  readonly type: z.ZodType<unknown, string>;
  /** null: unset */
  readonly default: string | null;
  /** a column of docs/configuration.md */
  readonly meaning: string;
  /** a column of docs/configuration.md: when to change the variable */
  readonly change: string;
  /** another name of the variable; used if the variable itself is unset */
  readonly alias?: string;
  /** hides secrets in the text of the variable, for error messages */
  readonly shown?: (text: string) => string;
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

const BASE_URL_RULE = 'http or https URL without query, fragment or password, such as https://doi.org';

export const baseUrl = z
  .string()
  .refine(isBaseUrl, `must be an ${BASE_URL_RULE}`)
  .transform((text) => new URL(text));

export const baseUrls = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim()))
  .refine((urls) => urls.every(isBaseUrl), `must be an ${BASE_URL_RULE}, or several, divided by commas`)
  .transform((urls): readonly URL[] => urls.map((url) => new URL(url)));

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const forbidden = search + hash + username + password;
  return /^https?:$/.test(protocol) && !hostname.includes(',') && forbidden === '';
}

/** The URL of a proxy for tunnels (CONNECT). It can have a user name and a password. */
export const proxyUrl = z
  .string()
  .refine(isProxyUrl, 'must be an http or https URL without a path, such as http://proxy.example.org:3128')
  .transform((text) => new URL(text));

function isProxyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && pathname + search + hash === '/';
}

export const serviceUrls = z
  .string()
  .transform((text) => itemsOf(text).map((url) => (isServiceUrl(url) ? new URL(url).href : url)))
  .refine((urls) => urls.every(isServiceUrl), 'must be http or https URLs, divided by commas');

function isServiceUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export const listenAddress = z
  .string()
  .transform(listenAddressOf)
  .refine(
    (address): address is ListenAddress => address !== null,
    'must be an address and a port, such as 127.0.0.1:9464 or [::]:9464',
  );

function listenAddressOf(text: string): ListenAddress | null {
  const [, v6, name = v6, port] = /^(?:\[([^\]]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text) ?? [];
  if (name === undefined || Number(port) > 65_535 || (v6 !== undefined && isIP(v6) !== 6)) return null;
  return { host: name, port: Number(port) };
}

export interface AddressRange {
  readonly address: string;
  /** how many leading bits all addresses of the range share with `address` */
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

export const addressRanges = z
  .string()
  .transform((text): readonly (AddressRange | null)[] => itemsOf(text).map(addressRangeOf))
  .refine(
    (ranges): ranges is readonly AddressRange[] => !ranges.includes(null),
    'must be IP addresses or ranges such as 10.0.0.0/8 or fd00::/8, divided by commas',
  );

function addressRangeOf(text: string): AddressRange | null {
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  if (version === 0 || Number(bits ?? longest) > longest) return null;
  return { address, bits: Number(bits ?? longest), family: version === 4 ? 'ipv4' : 'ipv6' };
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
