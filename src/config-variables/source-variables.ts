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
      'Base URL of a DOI proxy, `https://doi.org` for the live system, `https://hdl.handle.net` for all handles. Divide several URLs by commas: the gateway tries them in order. Unset: the embedded directory.',
    change: 'You want the live system, a mirror, or another gateway as the source.',
  },
  DOI_DIRECTORY_FILE: {
    type: z.string(),
    default: bundled('sample-directory.jsonl'),
    meaning: 'Records of the embedded directory: JSON Lines of `{"handle", "values"}`.',
    change: 'You have records of your own and no directory.',
  },
  DOI_AGENCIES_FILE: {
    type: z.string(),
    default: bundled('prefix-agencies.json'),
    meaning: 'Agencies of the embedded directory: a JSON object of prefix → label.',
    change: 'Your own records have prefixes that the bundled list lacks.',
  },
  CONTACT: {
    type: z.string().regex(/^[\x21-\x7e]+@[\x21-\x7e]+$/, 'must be a mail address'),
    default: null,
    meaning: 'Mail address in the User-Agent towards the directory and the agencies, as `mailto:`.',
    change:
      'Always set it for the live system: its operators can then reach you, and DataCite allows twice as many requests.',
  },
  HTTPS_PROXY: {
    type: proxyUrl,
    default: null,
    alias: 'https_proxy',
    meaning:
      'Proxy for requests over https to the directory and the agencies, such as `http://proxy.example.org:3128`; `https_proxy` is read too. Requests over http and to loopback go without it.',
    change: 'The network lets https out through a proxy only.',
  },
  NO_PROXY: {
    type: z.string(),
    default: null,
    alias: 'no_proxy',
    meaning:
      'Hosts that are reached without HTTPS_PROXY, divided by commas. `.example.org` includes its subdomains; `*` means every host. `no_proxy` is read too.',
    change: 'The directory or a metadata host is inside your network, behind no proxy.',
  },
  DIRECTORY_CONNECTIONS: {
    type: integer(1, 1_024),
    default: '64',
    meaning: 'Maximum of concurrent requests to the directory, and of connections to each base URL.',
    change:
      'Lower it if the operators of the directory ask for fewer requests at a time; raise it if look-ups wait and the directory is yours.',
  },
  DIRECTORY_RPS: {
    type: integer(1, 100_000),
    default: null,
    meaning: 'Requests to the directory per second at most. Unset: no limit.',
    change: 'The directory limits the requests of one client. With `REDIS_URL` all replicas share the limit.',
  },
  CACHE_MAX_BYTES: {
    type: integer(1_000_000, 1_000_000_000_000),
    default: '268435456',
    meaning: 'Memory for all caches of a process, in bytes. Caches take at most half of a small heap.',
    change: 'Lower it in a small container; raise it if memory is free and the hit rate is low.',
  },
  REDIS_URL: {
    type: redisUrl,
    default: null,
    shown: withoutCredentials,
    meaning:
      'Cache shared with other replicas: `redis://`, `rediss://`, or `redis+cluster://host:port,host:port`. Unset: memory alone.',
    change: 'You run several replicas, or restarts must not empty the cache.',
  },
} as const satisfies Record<string, Variable>;
