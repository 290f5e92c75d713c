// Every variable the gateway reads, as a table.

import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const bundled = (file: string) => fileURLToPath(new URL(`../data/${file}`, import.meta.url));

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

const oneOf = (...words: readonly [string, ...string[]]) =>
  z.enum(words, { error: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` });

const yesOrNo = oneOf('yes', 'no').transform((text) => text === 'yes');

const workerCount = z
  .string()
  .refine(
    (text) => text === 'auto' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 256),
    'must be a whole number from 1 to 256, or auto',
  )
  .transform((text) => (text === 'auto' ? text : Number(text)));

const BASE_URL_RULE = 'http or https URL without query, fragment or password, such as https://doi.org';

const baseUrl = z
  .string()
  .refine(isBaseUrl, `must be an ${BASE_URL_RULE}`)
  .transform((text) => new URL(text));

const baseUrls = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim()))
  .refine((urls) => urls.every(isBaseUrl), `must be an ${BASE_URL_RULE}, or several, divided by commas`)
  .transform((urls): readonly URL[] => urls.map((url) => new URL(url)));

/** Every variable the gateway reads: how it is checked, its default as text, and what it means. */
export const VARIABLES = {
  PORT: {
    type: integer(0, 65_535),
    default: '4000',
    meaning: 'Port to listen on; 0 takes any that is free.',
  },
  HOST: {
    type: z.string(),
    default: '127.0.0.1',
    meaning: 'Address to listen on; `::` is all of them, IPv4 and IPv6.',
  },
  DOI_DIRECTORY_URL: {
    type: baseUrls,
    default: null,
    meaning:
      'Base URL of a DOI proxy, `https://doi.org` for the live system; several, divided by commas, are tried in order. Unset: the embedded directory.',
  },
  DOI_DIRECTORY_FILE: {
    type: z.string(),
    default: bundled('sample-directory.jsonl'),
    meaning: 'Records of the embedded directory: JSON Lines of `{"handle", "values"}`.',
  },
  DOI_AGENCIES_FILE: {
    type: z.string(),
    default: bundled('prefix-agencies.json'),
    meaning: 'Agencies of the embedded directory: a JSON object of prefix → label.',
  },
  CONTACT: {
    type: z.string().regex(/^[\x21-\x7e]+@[\x21-\x7e]+$/, 'must be a mail address'),
    default: null,
    meaning: 'Mail address in the User-Agent towards the directory.',
  },
  PUBLIC_URL: {
    type: baseUrl.transform(({ href }) => href.replace(/\/$/, '')),
    default: null,
    meaning: "The gateway's own address as clients see it, for links. Unset: links are relative.",
  },
  COUNTRY_HEADER: {
    type: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a request header')
      .transform((name) => name.toLowerCase()),
    default: null,
    meaning:
      "Request header that tells a client's country, such as `CF-IPCountry`, set by what stands before the gateway. For redirection at `/{name}` alone: GraphQL's `redirect` takes `country` as a parameter.",
  },
  LOCAL_SERVICES: {
    type: z
      .string()
      .transform((text) =>
        text
          .split(',')
          .map((url) => url.trim())
          .filter((url) => url !== '')
          .map((url) => (isServiceUrl(url) ? new URL(url).href : url)),
      )
      .refine((urls) => urls.every(isServiceUrl), 'must be http or https URLs, divided by commas'),
    default: null,
    meaning:
      "Base URLs of libraries' local services, divided by commas, that the cookie `doi-local-service` may choose among.",
  },
  DIRECTORY_TIMEOUT_MS: {
    type: integer(1, 600_000),
    default: '10000',
    meaning: 'Time for one attempt at a request to the directory, in milliseconds.',
  },
  DIRECTORY_CONNECTIONS: {
    type: integer(1, 1_024),
    default: '64',
    meaning: 'Requests to the directory at a time, and connections to each base URL, at the most.',
  },
  DIRECTORY_RPS: {
    type: integer(1, 100_000),
    default: null,
    meaning: 'Requests to the directory per second at the most. Unset: no limit.',
  },
  DIRECTORY_DEADLINE_MS: {
    type: integer(1, 600_000),
    default: '20000',
    meaning:
      'Time for one question to the directory, waiting for its turn and all attempts included, in milliseconds.',
  },
  DIRECTORY_RETRIES: {
    type: integer(0, 10),
    default: '2',
    meaning:
      'Attempts after the first where the directory cannot be reached, takes too long or answers 429 or 5xx.',
  },
  DIRECTORY_PROBE: {
    type: z.string().regex(/^[\x21-\x7e]+\/[\x21-\x7e]+$/, 'must be a handle name, such as 10.1000/1'),
    default: '10.1000/1',
    meaning:
      'Name that the gateway asks for, beside one that was found lately, to find out how the directory is; that it is absent is an answer too.',
  },
  DIRECTORY_MAX_RESPONSE_BYTES: {
    type: integer(1_000, 1_000_000_000),
    default: '4000000',
    meaning: 'Size of an answer of the directory at the most.',
  },
  WHICH_RA_MAX_URL_BYTES: {
    type: integer(200, 100_000),
    default: '4000',
    meaning: 'Length of a Which RA request URL at the most, unless one name alone is longer.',
  },
  WHICH_RA_MAX_NAMES: {
    type: integer(1, 10_000),
    default: '500',
    meaning: 'Names in one Which RA request at the most.',
  },
  CACHE_MAX_BYTES: {
    type: integer(1_000_000, 1_000_000_000_000),
    default: '268435456',
    meaning: 'Memory for cached answers at the most, in bytes. The embedded directory needs no cache.',
  },
  REDIS_URL: {
    type: z.string().refine(isRedisUrl, 'must be a URL of redis://, rediss:// or redis+cluster://'),
    default: null,
    meaning:
      'Cache shared with other replicas: `redis://`, `rediss://`, or `redis+cluster://host:port,host:port`. Unset: memory alone.',
  },
  AGENCY_BY_PREFIX: {
    type: yesOrNo,
    default: 'yes',
    meaning:
      'Whether the agency of a name that exists is taken from another name of its prefix, for a day, instead of asking Which RA.',
  },
  MAX_CONNECTIONS: {
    type: integer(1, 1_000_000),
    default: '10000',
    meaning:
      'Connections of clients to one process at the most. When they are all there, the longest idle give way to new ones.',
  },
  MAX_LOOKUPS: {
    type: integer(1, 1_000_000),
    default: '2000',
    meaning:
      'Look-ups of one operation at the most: each distinct name counts one, and so does each Which RA request.',
  },
  MAX_BODY_BYTES: {
    type: integer(1_000, 100_000_000),
    default: '1048576',
    meaning: 'Size of a GraphQL request body at the most.',
  },
  MAX_RESPONSE_BYTES: {
    type: integer(10_000, 256_000_000),
    default: '33554432',
    meaning:
      'Size of a GraphQL response at the most, in bytes of JSON; of an answer in parts, of all of them together.',
  },
  MAX_QUERY_TOKENS: {
    type: integer(100, 1_000_000),
    default: '10000',
    meaning: 'Tokens of a GraphQL document at the most.',
  },
  MAX_COMPLEXITY: {
    type: integer(100, 1_000_000_000),
    default: '250000',
    meaning:
      'Cost of an operation at the most: about the fields to resolve; what asks the directory counts 20, an argument by its size. What records hold may cost as much again.',
  },
  OPERATION_DEADLINE_MS: {
    type: integer(10, 600_000),
    default: '30000',
    meaning:
      'Time for one GraphQL operation, in milliseconds. What is not there by then is DEADLINE_EXCEEDED at its place.',
  },
  COMPRESSION: {
    type: yesOrNo,
    default: 'yes',
    meaning: 'Whether answers of 4 kB and more are compressed (br, gzip) for clients that accept it.',
  },
  FAST_PATH: {
    type: yesOrNo,
    default: 'yes',
    meaning:
      'Whether answers in JSON come on the direct path. `no`: graphql-js executes and Yoga answers everything, several times slower.',
  },
  PERSISTED_OPERATIONS: {
    type: z.string(),
    default: null,
    meaning:
      "Operations that clients may ask for by id: a JSON object of id → document, or Apollo's manifest. Unset: none.",
  },
  PERSISTED_ONLY: {
    type: yesOrNo,
    default: 'no',
    meaning: 'Whether the operations of `PERSISTED_OPERATIONS` are the only ones that are executed.',
  },
  WORKERS: {
    type: workerCount,
    default: '1',
    meaning: 'Processes that share the port; `auto` is one for each processor.',
  },
  SHUTDOWN_DRAIN_MS: {
    type: integer(0, 600_000),
    default: '2000',
    meaning:
      'Time after SIGTERM in which `/readyz` says 503 and everything is still answered, so that balancers go elsewhere, in milliseconds.',
  },
  SHUTDOWN_TIMEOUT_MS: {
    type: integer(0, 600_000),
    default: '10000',
    meaning: 'Time after that for requests in flight to finish, in milliseconds.',
  },
  LOG_LEVEL: {
    type: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    meaning: 'Least level of what is logged.',
  },
} as const satisfies Record<string, Variable>;

export interface Variable {
  readonly type: z.ZodType<unknown, string>;
  readonly default: string | null;
  readonly meaning: string;
}

function isRedisUrl(text: string): boolean {
  return /^(?:rediss?|redis\+cluster):\/\/[^/]+(?:\/\d*)?$/.test(text);
}

function isServiceUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const rest = search + hash + username + password;
  return /^https?:$/.test(protocol) && !hostname.includes(',') && rest === '';
}
