// Who asks, and how much each may.

import { z } from 'zod';
import { addressRanges, integer, type Variable, yesOrNo } from './variable-types.ts';

export const CLIENT_VARIABLES = {
  TRUSTED_PROXIES: {
    type: addressRanges,
    default: null,
    meaning:
      'Addresses of the balancers before the gateway, such as `10.0.0.0/8,fd00::/8`: from them alone `X-Forwarded-For` is believed. Unset: none, and the client is whoever is connected.',
  },
  CLIENT_LOOKUPS_PER_SECOND: {
    type: integer(1, 100_000),
    default: null,
    meaning:
      'Look-ups in the directory a second for each client, on average; what is cached is free. Beyond it: RATE_LIMITED. Unset: no limit.',
  },
  API_KEYS_FILE: {
    type: z.string(),
    default: null,
    meaning:
      'API keys that clients send as `Authorization: Bearer`: a JSON list of `{"name", "sha256", "lookupsPerSecond", "burst", "expires"}`, read anew on SIGHUP. Unset: there are none.',
  },
  PUBLIC_ACCESS: {
    type: yesOrNo,
    default: 'yes',
    meaning: 'Whether clients without an API key are answered. `no` needs `API_KEYS_FILE`.',
  },
} as const satisfies Record<string, Variable>;
