// What requests may ask for, what they may cost, and how they are answered.

import { z } from 'zod';
import { baseUrl, integer, serviceUrls, type Variable, yesOrNo } from './variable-types.ts';

export const REQUEST_VARIABLES = {
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
    type: serviceUrls,
    default: null,
    meaning:
      "Base URLs of libraries' local services, divided by commas, that the cookie `doi-local-service` may choose among.",
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
  OPERATION_DEADLINE_MS: {
    type: integer(10, 600_000),
    default: '30000',
    meaning:
      'Time for one GraphQL operation, in milliseconds. What is not there by then is DEADLINE_EXCEEDED at its place.',
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
} as const satisfies Record<string, Variable>;
