// Variables about clients: their addresses, budgets and API keys.

import { z } from 'zod';
import { addressRanges, integer, type Variable, yesOrNo } from './variable-types.ts';

export const CLIENT_VARIABLES = {
  TRUSTED_PROXIES: {
    type: addressRanges,
    default: null,
    meaning:
      'Addresses of the balancers in front of the gateway, such as `10.0.0.0/8,fd00::/8`. Only from them does the gateway read `X-Forwarded-For`. Unset: the client is the connected address.',
    change: 'A balancer is in front of the gateway. Without this variable, all its clients share one budget.',
  },
  CLIENT_LOOKUPS_PER_SECOND: {
    type: integer(1, 100_000),
    default: null,
    meaning:
      'Average look-ups per second of one client. A client can make the look-ups of ten seconds at once. Cached records are free. Above the limit, a look-up fails with RATE_LIMITED. Unset: no limit.',
    change: 'The gateway is public, or one client must not take all look-ups.',
  },
  API_KEYS_FILE: {
    type: z.string(),
    default: null,
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
