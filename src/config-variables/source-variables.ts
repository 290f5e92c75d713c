// Where the answers come from, and how they are kept.

import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { redisUrl, withoutCredentials } from './redis-url.ts';
import { baseUrls, integer, proxyUrl, type Variable } from './variable-types.ts';

export const bundled = (file: string) => fileURLToPath(new URL(`../../data/${file}`, import.meta.url));

export const SOURCE_VARIABLES = {
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
    meaning: 'Mail address in the User-Agent towards the directory and the agencies, as `mailto:`.',
  },
  HTTPS_PROXY: {
    type: proxyUrl,
    default: null,
    alias: 'https_proxy',
    meaning:
      'Proxy for requests over https to the directory and the agencies, such as `http://proxy.example.org:3128`; `https_proxy` is read too. Requests over http and to loopback go without it.',
  },
  NO_PROXY: {
    type: z.string(),
    default: null,
    alias: 'no_proxy',
    meaning:
      'Hosts that are reached without HTTPS_PROXY, divided by commas; `.example.org` has its subdomains too, `*` is all. `no_proxy` is read too.',
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
  CACHE_MAX_BYTES: {
    type: integer(1_000_000, 1_000_000_000_000),
    default: '268435456',
    meaning: 'Memory for all caches of a process, in bytes. Caches take at most half of a small heap.',
  },
  REDIS_URL: {
    type: redisUrl,
    default: null,
    shown: withoutCredentials,
    meaning:
      'Cache shared with other replicas: `redis://`, `rediss://`, or `redis+cluster://host:port,host:port`. Unset: memory alone.',
  },
} as const satisfies Record<string, Variable>;
