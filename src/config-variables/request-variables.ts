// Variables about requests (links, redirection, limits of an operation, registered operations) and about the clients that
// send them (addresses, budgets, API keys).

import { z } from 'zod';
import { addressRanges, baseUrl, integer, serviceUrls, type Variable, yesOrNo } from './variable-types.ts';

export const REQUEST_VARIABLES = {
  PUBLIC_URL: {
    type: baseUrl.transform(({ href }) => href.replace(/\/$/, '')),
    meaning: "The gateway's own address as clients see it, for links. Unset: links are relative.",
    change:
      'Links must be absolute, or clients reach the gateway below a path, such as `https://example.org/doi`.',
  },
  COUNTRY_HEADER: {
    type: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a request header')
      .transform((name) => name.toLowerCase()),
    meaning:
      "Request header in which your balancer sends the client's country, such as `CF-IPCountry`. The gateway uses it only for redirection at `/{name}`: in GraphQL, `redirect` has an argument `country`.",
    change:
      'Your balancer knows the country of clients, and records have different locations for some countries.',
  },
  LOCAL_SERVICES: {
    type: serviceUrls,
    meaning:
      'Base URLs of the local link services of libraries, divided by commas. A reader whose cookie `doi-local-service` names one of them is redirected to this service.',
    change: 'A library sends its readers to its own copies of works.',
  },
  MAX_LOOKUPS: {
    type: integer(1, 1_000_000),
    default: '2000',
    meaning:
      'Maximum of look-ups in one operation: one for each distinct name, and one for each Which RA request.',
    change:
      'Raise it if clients that you trust send longer lists. Lower it if single operations load the directory or the processor too much.',
  },
  MAX_BODY_BYTES: {
    type: integer(1_000, 100_000_000),
    default: '1048576',
    meaning: 'Maximum size of a GraphQL request body, in bytes.',
    change: 'Raise it together with `MAX_LOOKUPS`, for long lists in one request.',
  },
  OPERATION_DEADLINE_MS: {
    type: integer(10, 600_000),
    default: '30000',
    meaning:
      'Maximum time of one GraphQL operation, in milliseconds. Then each field without a value gets the error DEADLINE_EXCEEDED.',
    change:
      'A balancer in front of the gateway has a shorter timeout, or clients prefer an early partial response.',
  },
  PERSISTED_OPERATIONS: {
    type: z.string(),
    meaning:
      "File of operations that clients can execute by id: a JSON object of id → document, or Apollo's manifest. Unset: none.",
    change: 'Your front-end sends ids in place of documents.',
  },
  PERSISTED_ONLY: {
    type: yesOrNo,
    default: 'no',
    meaning: 'Whether the gateway executes only the operations of `PERSISTED_OPERATIONS`.',
    change: 'Only your own front-end may send operations.',
  },
} as const satisfies Record<string, Variable>;

export const CLIENT_VARIABLES = {
  TRUSTED_PROXIES: {
    type: addressRanges,
    meaning:
      'Addresses of the balancers in front of the gateway, such as `10.0.0.0/8,fd00::/8`. Only from them does the gateway read `X-Forwarded-For`. Unset: the client is the connected address.',
    change: 'A balancer is in front of the gateway. Without this variable, all its clients share one budget.',
  },
  CLIENT_LOOKUPS_PER_SECOND: {
    type: integer(1, 100_000),
    meaning:
      'Average look-ups per second of one client. A client can make the look-ups of ten seconds at once. Cached records are free. Above the limit, a look-up fails with RATE_LIMITED. Unset: no limit.',
    change: 'The gateway is public, or one client must not take all look-ups.',
  },
  API_KEYS_FILE: {
    type: z.string(),
    meaning:
      'File of the API keys that clients send as `Authorization: Bearer`: a JSON list of `{"name", "sha256", "lookupsPerSecond", "burst", "expires"}`. SIGHUP reads it again. Unset: no keys.',
    change: 'Some clients need larger budgets than anonymous clients.',
  },
  PUBLIC_ACCESS: {
    type: yesOrNo,
    default: 'yes',
    meaning: 'Whether clients without an API key have access. `no` needs `API_KEYS_FILE`.',
    change: 'Only clients with an API key may use the gateway.',
  },
} as const satisfies Record<string, Variable>;
