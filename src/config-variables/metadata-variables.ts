// Variables about metadata of works: whether the gateway fetches it, and from which hosts.

import { z } from 'zod';
import { KNOWN_METADATA_HOSTS } from '../upstream/agencies/agency-limits.ts';
import { bundled } from './source-variables.ts';
import { baseUrl, integer, type Variable, yesOrNo } from './variable-types.ts';

/** A host name or an IPv6 address in brackets, with or without a port. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/;

export const METADATA_VARIABLES = {
  METADATA: {
    type: yesOrNo,
    default: 'yes',
    meaning:
      'Whether the gateway fetches titles, people, citations and updates when an operation selects them.',
    changeWhen: 'The gateway must connect only to the directory.',
  },
  METADATA_HOSTS: {
    type: z
      .string()
      .transform((text): ReadonlySet<string> => new Set(text.toLowerCase().split(/\s*,\s*/)))
      .refine((hosts) => [...hosts].every((host) => HOST.test(host)), 'must be hosts, separated by commas'),
    default: KNOWN_METADATA_HOSTS.join(','),
    meaning:
      "Hosts of the agencies' services, for metadata over https. The gateway connects to no other host for metadata, except the APIs of METADATA_API. It connects to no private address, except to a loopback host of the list.",
    changeWhen: 'An agency moves to a host that is not in the list, or you run a mirror.',
  },
  METADATA_API: {
    type: yesOrNo,
    meaning:
      "Whether the gateway gets the metadata of Crossref's and DataCite's works from their APIs, with many names in one request. `updates` and `relations` need it. Unset: yes if the directory is doi.org, dx.doi.org or hdl.handle.net, or if CROSSREF_API_URL or DATACITE_API_URL is set.",
    changeWhen: 'For metadata, the gateway must connect only to the hosts of METADATA_HOSTS.',
  },
  CROSSREF_API_URL: {
    type: baseUrl,
    meaning: "Base URL of Crossref's REST API. Unset: `https://api.crossref.org`.",
    changeWhen: 'You run a mirror. The variable turns METADATA_API on.',
  },
  CROSSREF_PLUS_TOKEN: {
    isSecret: true,
    type: z.string().regex(/^[\x21-\x7e]+$/, 'must be a token without spaces'),
    redact: () => '…',
    meaning: 'Token of Crossref Metadata Plus. The gateway sends it only to CROSSREF_API_URL.',
    changeWhen: 'You subscribe to Metadata Plus.',
  },
  DATACITE_API_URL: {
    type: baseUrl,
    meaning: "Base URL of DataCite's REST API. Unset: `https://api.datacite.org`.",
    changeWhen: 'You run a mirror. The variable turns METADATA_API on.',
  },
  MATCHING: {
    type: yesOrNo,
    default: 'yes',
    meaning:
      'Whether `matchReference` searches at Crossref and DataCite for the work that a reference in words describes. The gateway sends only the words of the reference. Needs METADATA_API.',
    changeWhen: 'The words of references must not leave the gateway.',
  },
  DOI_METADATA_FILE: {
    type: z.string(),
    default: bundled('sample-metadata.jsonl'),
    meaning:
      'File with metadata for the embedded directory: JSON Lines of `{"handle", "csl"}`. A line can also have `citations`, and `updated-by`, `update-to`, `relation` and `reference` in the form of Crossref.',
    changeWhen: 'You have your own records and want titles for them.',
  },
  MAX_METADATA: {
    type: integer(1, 100_000),
    default: '1000',
    meaning:
      'Maximum number of metadata look-ups in one operation. Each distinct name counts as one. Each pair of style and locale of its citations also counts as one.',
    changeWhen:
      'Clients need titles for longer lists in one operation. Each look-up costs one request to an agency, or a part of one request.',
  },
} as const satisfies Record<string, Variable>;

/** The proxies of the live system. If DOI_DIRECTORY_URL has only these hosts, METADATA_API is on by default. */
const GLOBAL_DIRECTORIES: ReadonlySet<string> = new Set(['doi.org', 'dx.doi.org', 'hdl.handle.net']);

interface MetadataSettings {
  readonly METADATA: boolean;
  readonly METADATA_API: boolean | null;
  readonly CROSSREF_API_URL: URL | null;
  readonly DATACITE_API_URL: URL | null;
  readonly DOI_DIRECTORY_URL: readonly URL[] | null;
}

/** Whether metadata comes from the APIs of Crossref and DataCite. */
export function usesAgencyApis(settings: MetadataSettings): boolean {
  const { METADATA, METADATA_API, CROSSREF_API_URL, DATACITE_API_URL, DOI_DIRECTORY_URL } = settings;
  if (!METADATA || DOI_DIRECTORY_URL === null) return false;
  const isOnByDefault =
    CROSSREF_API_URL !== null ||
    DATACITE_API_URL !== null ||
    DOI_DIRECTORY_URL.every(({ hostname }) => GLOBAL_DIRECTORIES.has(hostname));
  return METADATA_API ?? isOnByDefault;
}
