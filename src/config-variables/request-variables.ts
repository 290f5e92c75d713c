// Variables about requests (links, redirection, limits of an operation, registered operations) and about the clients that
// send them (addresses, budgets, API keys).

import { z } from 'zod';
import { addressRanges, baseUrl, integer, serviceUrls, type Variable, yesOrNo } from './variable-types.ts';

export const REQUEST_VARIABLES = {
  PUBLIC_URL: {
    type: baseUrl.transform(({ href }) => href.replace(/\/$/, '')),
    meaning: "The gateway's own address as clients see it, for links. Unset: links are relative.",
    changeWhen:
      'Links must be absolute, or clients reach the gateway below a path, such as `https://example.org/doi`.',
  },
  COUNTRY_HEADER: {
    type: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a request header')
      .transform((name) => name.toLowerCase()),
    meaning:
      "Request header in which your balancer sends the client's country, such as `CF-IPCountry`. The gateway uses it only for redirects at `/{name}`. GraphQL ignores this header: the field `redirect` has an argument `country`.",
    changeWhen:
      'Your balancer knows the country of clients, and records have different locations for some countries.',
  },
  LOCAL_SERVICES: {
    type: serviceUrls,
    meaning:
      'Base URLs of the local link services of libraries. Separate several URLs with commas. If the cookie `doi-local-service` of a reader holds one of these URLs, the gateway redirects the reader to this URL.',
    changeWhen: 'A library sends its readers to its own copies of works.',
  },
  MAX_LOOKUPS: {
    type: integer(1, 1_000_000),
    default: '2000',
    meaning:
      'Maximum number of look-ups in one operation. Each distinct name counts as one, and each Which RA request counts as one.',
    changeWhen:
      'Raise it if clients that you trust send longer lists. Lower it if single operations load the directory or the processor too much.',
  },
  MAX_BODY_BYTES: {
    type: integer(1_000, 100_000_000),
    default: '1048576',
    meaning: 'Maximum size of a GraphQL request body, in bytes.',
    changeWhen: 'Raise it together with `MAX_LOOKUPS`, for long lists in one request.',
  },
  OPERATION_DEADLINE_MS: {
    type: integer(10, 600_000),
    default: '30000',
    meaning:
      'Maximum time of one GraphQL operation, in milliseconds. After this time, each field without a value gets the error DEADLINE_EXCEEDED.',
    changeWhen:
      'A balancer in front of the gateway has a shorter timeout, or clients prefer an early partial response.',
  },
  PERSISTED_OPERATIONS: {
    type: z.string(),
    meaning:
      "File of operations that clients can execute by id: a JSON object of id → document, or Apollo's manifest. Unset: none.",
    changeWhen: 'Your front-end sends ids in place of documents.',
  },
  PERSISTED_ONLY: {
    type: yesOrNo,
    default: 'no',
    meaning: 'Whether the gateway executes only the operations of `PERSISTED_OPERATIONS`.',
    changeWhen: 'Only your own front-end may send operations.',
  },
  INTROSPECTION: {
    type: yesOrNo,
    default: 'yes',
    meaning:
      'Whether clients may query `__schema` and `__type`. `/schema.graphql` shows the schema in any case. With `no`, GraphiQL cannot complete fields.',
    changeWhen: 'A security rule of your organization forbids introspection.',
  },
} as const satisfies Record<string, Variable>;

export const CLIENT_VARIABLES = {
  TRUSTED_PROXIES: {
    type: addressRanges,
    meaning:
      'Addresses of the balancers in front of the gateway, such as `10.0.0.0/8,fd00::/8`. The gateway reads `X-Forwarded-For` only in requests from these addresses. Unset: the address of the connection identifies the client.',
    changeWhen:
      'A balancer is in front of the gateway. Without this variable, all its clients share one budget.',
  },
  CLIENT_LOOKUPS_PER_SECOND: {
    type: integer(1, 100_000),
    meaning:
      'Average look-ups per second of one client. A client can make ten times this number at once. Cached records are free. Above the limit, a look-up fails with RATE_LIMITED. Unset: no limit.',
    changeWhen: 'The gateway is public, or one client must not use all look-ups.',
  },
  API_KEYS_FILE: {
    isSecret: true,
    type: z.string(),
    meaning:
      'File of the API keys that clients send as `Authorization: Bearer`: a JSON list of `{"name", "sha256", "lookupsPerSecond", "burst", "expires"}`. SIGHUP reads it again. Unset: no keys.',
    changeWhen: 'Some clients need larger budgets than anonymous clients.',
  },
  PUBLIC_ACCESS: {
    type: yesOrNo,
    default: 'yes',
    meaning: 'Whether clients without an API key have access. `no` needs `API_KEYS_FILE`.',
    changeWhen: 'Only clients with an API key may use the gateway.',
  },
} as const satisfies Record<string, Variable>;
