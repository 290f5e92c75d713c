// Whether and from where metadata of works is fetched.

import { z } from 'zod';
import { KNOWN_METADATA_HOSTS } from '../metadata/metadata-rate-limits.ts';
import { bundled } from './source-variables.ts';
import { baseUrl, integer, type Variable, yesOrNo } from './variable-types.ts';

/** A port stands behind a colon. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/;
export const METADATA_VARIABLES = {
  METADATA: {
    type: yesOrNo,
    default: 'yes',
    meaning:
      'Whether titles, people, citations and updates are fetched for the names that a client asks about.',
    change: 'The gateway must connect to no host but the directory.',
  },
  METADATA_HOSTS: {
    type: z
      .string()
      .transform((text): ReadonlySet<string> => new Set(text.toLowerCase().split(/\s*,\s*/)))
      .refine((hosts) => [...hosts].every((host) => HOST.test(host)), 'must be hosts, divided by commas'),
    default: KNOWN_METADATA_HOSTS.join(','),
    meaning:
      "Hosts that metadata may come from, over https: the agencies' services. The gateway connects to no other host, and to no private address except a listed loopback host.",
    change: 'An agency moves to a host that the list lacks, or you run a mirror.',
  },
  METADATA_API: {
    type: yesOrNo,
    default: null,
    meaning:
      'Whether metadata of Crossref and DataCite works comes from their own APIs, many names in one request. `updates` and `relations` need it. Unset: yes for doi.org, dx.doi.org and hdl.handle.net, or with one of the URLs below.',
    change: 'The gateway must connect to no host but METADATA_HOSTS.',
  },
  CROSSREF_API_URL: {
    type: baseUrl,
    default: null,
    meaning: "Base URL of Crossref's REST API. Unset: `https://api.crossref.org`.",
    change: 'You run a mirror. It turns METADATA_API on.',
  },
  CROSSREF_PLUS_TOKEN: {
    type: z.string().regex(/^[\x21-\x7e]+$/, 'must be a token without spaces'),
    default: null,
    shown: () => '…',
    meaning: 'Token of Crossref Metadata Plus, sent to CROSSREF_API_URL alone.',
    change: 'You subscribe to Metadata Plus.',
  },
  DATACITE_API_URL: {
    type: baseUrl,
    default: null,
    meaning: "Base URL of DataCite's REST API. Unset: `https://api.datacite.org`.",
    change: 'You run a mirror. It turns METADATA_API on.',
  },
  DOI_METADATA_FILE: {
    type: z.string(),
    default: bundled('sample-metadata.jsonl'),
    meaning:
      'Metadata of the embedded directory: JSON Lines of `{"handle", "csl"}`, where known with `citations`, and with `updated-by`, `update-to` and `relation` as Crossref writes them.',
    change: 'You have records of your own and want titles for them.',
  },
  MAX_METADATA: {
    type: integer(1, 100_000),
    default: '1000',
    meaning:
      'Maximum of metadata look-ups in one operation: one for each distinct name, and one for each style and locale of its citations.',
    change:
      'Clients need titles for longer lists in one operation. Each look-up costs one request to an agency, or a part of one request.',
  },
} as const satisfies Record<string, Variable>;
