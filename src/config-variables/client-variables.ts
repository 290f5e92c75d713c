// Who asks, and how much each may.

import { z } from 'zod';
import { addressRanges, integer, type Variable, yesOrNo } from './variable-types.ts';

export const CLIENT_VARIABLES = {
  TRUSTED_PROXIES: {
    type: addressRanges,
    default: null,
    meaning:
      'Addresses of the balancers before the gateway, such as `10.0.0.0/8,fd00::/8`: the gateway reads `X-Forwarded-For` from them only. Unset: none, and the client is the connected address.',
    change: 'A balancer is in front of the gateway: without it all clients count as one.',
  },
  CLIENT_LOOKUPS_PER_SECOND: {
    type: integer(1, 100_000),
    default: null,
    meaning:
      'Look-ups in the directory a second for each client, on average; ten seconds of them may come at once; cached records are free. Beyond it a look-up fails with RATE_LIMITED. Unset: no limit.',
    change: 'The gateway is public, or one client must not use up the directory.',
  },
  API_KEYS_FILE: {
    type: z.string(),
    default: null,
    meaning:
      'API keys that clients send as `Authorization: Bearer`: a JSON list of `{"name", "sha256", "lookupsPerSecond", "burst", "expires"}`, read again on SIGHUP. Unset: no keys.',
    change: 'Some clients need larger budgets than anonymous clients.',
  },
  PUBLIC_ACCESS: {
    type: yesOrNo,
    default: 'yes',
    meaning: 'Whether clients without an API key have access. `no` needs `API_KEYS_FILE`.',
    change: 'Only clients with an API key may use the gateway.',
  },
} as const satisfies Record<string, Variable>;
