// The metadata services of the agencies and their rate limits.

export interface RequestLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface MetadataHost {
  /** the label of the agency in the Which RA service */
  readonly agency: string;
  /** for operators with CONTACT. Null if the host documents no limit; then only its headers can state one. */
  readonly limit: RequestLimit | null;
  /** for operators without CONTACT */
  readonly anonymousLimit: RequestLimit | null;
  /** at most this many requests run at the same time */
  readonly connections: number;
}

/**
 * Crossref states its limits in the headers of each response. Before the first response, the gateway sends few requests.
 * https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/
 */
const CROSSREF: MetadataHost = {
  agency: 'Crossref',
  limit: { requests: 5, seconds: 1 },
  anonymousLimit: { requests: 5, seconds: 1 },
  connections: 3,
};

/** https://support.datacite.org/docs/is-there-a-rate-limit-for-making-requests-against-the-datacite-apis */
const DATACITE: MetadataHost = {
  agency: 'DataCite',
  limit: { requests: 1_000, seconds: 300 },
  anonymousLimit: { requests: 500, seconds: 300 },
  connections: 8,
};

/** These agencies document no limit, so the gateway sends few requests at the same time. */
const OTHERS = { limit: null, anonymousLimit: null, connections: 4 };

/**
 * The default of METADATA_HOSTS: the services that agencies document, and the hosts to which https://doi.org redirects
 * content negotiation. The hosts of JaLC, KISTI and OP come from responses that others recorded in October 2026.
 */
const HOSTS: ReadonlyMap<string, MetadataHost> = new Map([
  ['api.crossref.org', CROSSREF],
  ['data.crossref.org', CROSSREF],
  ['data.crosscite.org', DATACITE],
  ['data.datacite.org', DATACITE],
  ['api.datacite.org', DATACITE],
  ['data.medra.org', { agency: 'mEDRA', ...OTHERS }],
  ['api.medra.org', { agency: 'mEDRA', ...OTHERS }],
  ['api.japanlinkcenter.org', { agency: 'JaLC', ...OTHERS }],
  ['japanlinkcenter.org', { agency: 'JaLC', ...OTHERS }],
  ['data.doi.or.kr', { agency: 'KISTI', ...OTHERS }],
  ['ra.publications.europa.eu', { agency: 'OP', ...OTHERS }],
]);

export const KNOWN_METADATA_HOSTS: readonly string[] = [...HOSTS.keys()];

/** Null for a host that only the configuration lists. The limits of the directory then apply to this host. */
export function metadataHost(host: string): MetadataHost | null {
  return HOSTS.get(host) ?? null;
}

/**
 * Null if the host documents no limit.
 * @param userAgent the header of the requests; its mail address identifies the operator
 */
export function documentedLimit(host: string, userAgent: string): RequestLimit | null {
  const isIdentified = userAgent.includes('mailto:');
  const details = metadataHost(host);
  return (isIdentified ? details?.limit : details?.anonymousLimit) ?? null;
}
