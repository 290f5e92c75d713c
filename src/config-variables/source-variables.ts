// Variables about the directory: which directory the gateway uses, how it connects, and its caches.

import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { redisUrl, withoutCredentials } from './redis-url.ts';
import { baseUrls, integer, proxyUrl, type Variable } from './variable-types.ts';

export const bundled = (file: string) => fileURLToPath(new URL(`../../data/${file}`, import.meta.url));

export const SOURCE_VARIABLES = {
  DOI_DIRECTORY_URL: {
    type: baseUrls,
    meaning:
      'Base URL of a DOI proxy: `https://doi.org` for the live system, `https://hdl.handle.net` for all handles. Separate several URLs with commas: the gateway tries them in order. Unset: the embedded directory.',
    changeWhen: 'You want answers of the live system, a mirror, or another gateway.',
  },
  DOI_DIRECTORY_FILE: {
    type: z.string(),
    default: bundled('sample-directory.jsonl'),
    meaning: 'File with the records of the embedded directory: JSON Lines of `{"handle", "values"}`.',
    changeWhen: 'You have your own records, and no server for them.',
  },
  DOI_AGENCIES_FILE: {
    type: z.string(),
    default: bundled('prefix-agencies.json'),
    meaning:
      'File with the agencies of the embedded directory: a JSON object of prefix → name of the agency.',
    changeWhen: 'Your own records have prefixes that the bundled list lacks.',
  },
  CONTACT: {
    type: z.string().regex(/^(?!.*:\/\/)[\x21-\x7e]+@[\x21-\x7e]+$/, 'must be a mail address'),
    meaning: 'Your mail address. The gateway sends it to the directory and the agencies, in `User-Agent`.',
    changeWhen:
      'Always set it for the live system. Its operators can then reach you, and DataCite allows twice as many requests.',
  },
  HTTPS_PROXY: {
    isSecret: true,
    type: proxyUrl,
    alias: 'https_proxy',
    meaning:
      'Proxy for https requests to the directory and the agencies, such as `http://proxy.example.org:3128`. The gateway uses no proxy for http URLs or for loopback addresses. `https_proxy` is another name of this variable.',
    changeWhen: 'Your network allows https to other networks only through a proxy.',
  },
  NO_PROXY: {
    type: z.string(),
    alias: 'no_proxy',
    meaning:
      'Hosts for which the gateway does not use HTTPS_PROXY. Separate several hosts with commas. `.example.org` includes its subdomains; `*` means every host. `no_proxy` is another name of this variable.',
    changeWhen: 'The directory or a metadata host is inside your network.',
  },
  DIRECTORY_CONNECTIONS: {
    type: integer(1, 1_024),
    default: '64',
    meaning: 'Maximum number of concurrent requests to the directory, and of connections to each base URL.',
    changeWhen:
      'Lower it if the operators of the directory want fewer concurrent requests. Raise it if look-ups wait and the directory is yours.',
  },
  DIRECTORY_RPS: {
    type: integer(1, 100_000),
    meaning:
      'Maximum number of requests to the directory per second. With `REDIS_URL`, all replicas share it. Unset: no limit.',
    changeWhen: 'The directory limits the requests of the gateway.',
  },
  CACHE_MAX_BYTES: {
    type: integer(1_000_000, 1_000_000_000_000),
    default: '268435456',
    meaning:
      'Memory for all caches of a process, in bytes. If the heap limit is below 512 MiB, the caches use at most half of the heap limit.',
    changeWhen: 'Lower it in a small container. Raise it if memory is free and the hit rate is low.',
  },
  REDIS_URL: {
    isSecret: true,
    type: redisUrl,
    redact: withoutCredentials,
    meaning:
      'Redis for a cache that several replicas share: `redis://`, `rediss://`, or `redis+cluster://host:port,host:port`. Unset: a cache in memory only.',
    changeWhen: 'You run several replicas, or restarts must not empty the cache.',
  },
} as const satisfies Record<string, Variable>;
