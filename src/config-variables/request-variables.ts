// What requests may ask for, what they may cost, and how they are answered.

import { z } from 'zod';
import { baseUrl, integer, serviceUrls, type Variable, yesOrNo } from './variable-types.ts';

export const REQUEST_VARIABLES = {
  PUBLIC_URL: {
    type: baseUrl.transform(({ href }) => href.replace(/\/$/, '')),
    default: null,
    meaning: "The gateway's own address as clients see it, for links. Unset: links are relative.",
    change: 'Links must be absolute, or the gateway is behind a path of another host.',
  },
  COUNTRY_HEADER: {
    type: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a request header')
      .transform((name) => name.toLowerCase()),
    default: null,
    meaning:
      "Request header with a client's country, such as `CF-IPCountry`, which your balancer sets. For redirection at `/{name}` alone: GraphQL's `redirect` takes `country` as a parameter.",
    change: 'Your balancer knows the country of clients, and records have locations by country.',
  },
  LOCAL_SERVICES: {
    type: serviceUrls,
    default: null,
    meaning:
      "Base URLs of libraries' local services, divided by commas, that the cookie `doi-local-service` may choose among.",
    change: 'A library sends its readers to local copies.',
  },
  MAX_LOOKUPS: {
    type: integer(1, 1_000_000),
    default: '2000',
    meaning:
      'Look-ups of one operation at most: each distinct name counts one, and so does each Which RA request.',
    change:
      'Raise it for clients you trust with longer lists; lower it if single operations take too much of the directory or the processor.',
  },
  MAX_BODY_BYTES: {
    type: integer(1_000, 100_000_000),
    default: '1048576',
    meaning: 'Size of a GraphQL request body at most.',
    change: 'Raise it together with `MAX_LOOKUPS`, for long lists in one request.',
  },
  OPERATION_DEADLINE_MS: {
    type: integer(10, 600_000),
    default: '30000',
    meaning:
      'Time for one GraphQL operation, in milliseconds. A field without a value by then has the error DEADLINE_EXCEEDED.',
    change:
      'A balancer in front of the gateway gives up earlier, or clients prefer an early partial response.',
  },
  PERSISTED_OPERATIONS: {
    type: z.string(),
    default: null,
    meaning:
      "Operations that clients may ask for by id: a JSON object of id → document, or Apollo's manifest. Unset: none.",
    change: 'Your front-end sends ids in place of documents.',
  },
  PERSISTED_ONLY: {
    type: yesOrNo,
    default: 'no',
    meaning: 'Whether the operations of `PERSISTED_OPERATIONS` are the only ones that are executed.',
    change: 'Only your own front-end may send operations.',
  },
} as const satisfies Record<string, Variable>;
