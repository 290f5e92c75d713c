// The metadata services of the agencies and their rate limits.

export interface RequestLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface MetadataHost {
  /** label of the agency, as Which RA gives it */
  readonly agency: string;
  /** for operators with CONTACT; null: no limit is documented, and only the host's headers count */
  readonly limit: RequestLimit | null;
  /** for operators without CONTACT */
  readonly anonymousLimit: RequestLimit | null;
  /** requests at the same time */
  readonly connections: number;
}

/**
 * Crossref states its limits in the headers of each response; before the first response, few requests are sent.
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

/** No limit is documented, so few requests at the same time. */
const OTHERS = { limit: null, anonymousLimit: null, connections: 4 };

/**
 * The default of METADATA_HOSTS: the services that agencies document, and the hosts that https://doi.org itself sends
 * content negotiation to (JaLC, KISTI and OP, as others recorded its responses in October 2026).
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

/** Null for a host that the configuration adds: then the limits of the directory apply. */
export function metadataHost(host: string): MetadataHost | null {
  return HOSTS.get(host) ?? null;
}

/**
 * Null: no limit is documented.
 * @param userAgent of the requests; its mail address identifies the operator
 */
export function documentedLimit(host: string, userAgent: string): RequestLimit | null {
  const isIdentified = userAgent.includes('mailto:');
  const details = metadataHost(host);
  return (isIdentified ? details?.limit : details?.anonymousLimit) ?? null;
}
