// The list of DOI registration agencies, with the labels of the Which RA service.

import { foldBasicLatin } from 'doi-names/parts';

export interface RegistrationAgency {
  /** the label in the Which RA service */
  readonly name: string;
  readonly title: string;
  readonly homepageUrl: string;
  /** for people: the kinds of works that the agency registers */
  readonly registers: string;
  /** The metadata URL up to the DOI name, which is appended. Missing if no such API is known. */
  readonly metadataApiUrl?: string;
  /** The directory redirects content negotiation to this service. Missing if unknown. */
  readonly contentNegotiationUrl?: string;
  /** the day of the last check: 2024-02-14 */
  readonly knownAsOf: string;
  /** the URL of the source */
  readonly source: string;
}

/** The DOI Foundation's list. The labels are those of Which RA. The labels of BSI and HAND are names of services. */
const LIST_URL = 'https://www.doi.org/the-community/existing-registration-agencies/';
const LIST_READ_ON = '2024-02-14';

const DETAILS: readonly Omit<RegistrationAgency, 'knownAsOf' | 'source'>[] = [
  {
    name: 'Airiti',
    title: 'Airiti DOI',
    homepageUrl: 'https://www.airiti.com/',
    registers: 'Publications of the Chinese-speaking world, in Chinese or English. The agency is in Taiwan.',
  },
  {
    name: 'BSI',
    title: 'BSI Identify',
    homepageUrl: 'https://identify.bsigroup.com/',
    registers: 'Construction products and information about them.',
  },
  {
    name: 'CNKI',
    title: 'China National Knowledge Infrastructure',
    homepageUrl: 'https://www.cnki.net/',
    registers: 'Chinese journals, newspapers, dissertations, proceedings, yearbooks and reference works.',
  },
  {
    name: 'Crossref',
    title: 'Crossref',
    homepageUrl: 'https://www.crossref.org/',
    registers: 'Scholarly works of all kinds: articles, books, proceedings, preprints, grants.',
    metadataApiUrl: 'https://api.crossref.org/works/',
    contentNegotiationUrl: 'https://data.crossref.org/',
  },
  {
    name: 'DataCite',
    title: 'DataCite',
    homepageUrl: 'https://datacite.org/',
    registers: 'Research data and all other outputs of research.',
    metadataApiUrl: 'https://api.datacite.org/dois/',
    contentNegotiationUrl: 'https://data.crosscite.org/',
  },
  {
    name: 'EIDR',
    title: 'Entertainment Identifier Registry',
    homepageUrl: 'https://www.eidr.org/',
    registers: 'Films, television programmes and other commercial audio and video.',
  },
  {
    name: 'HAND',
    title: 'Human & Digital',
    homepageUrl: 'https://www.handidentity.com/',
    registers: 'People in entertainment and sports, virtual humans and fictional characters.',
  },
  {
    name: 'ISTIC',
    title: 'Institute of Scientific and Technical Information of China',
    homepageUrl: 'https://www.istic.ac.cn/',
    registers:
      'Chinese journals, scientific data, dissertations, books, proceedings and preprints. Its service is called Chinese DOI.',
  },
  {
    name: 'JaLC',
    title: 'Japan Link Center',
    homepageUrl: 'https://japanlinkcenter.org/',
    registers: 'Scientific and academic content of Japanese institutes, universities and publishers.',
    metadataApiUrl: 'https://api.japanlinkcenter.org/dois/',
  },
  {
    name: 'KISTI',
    title: 'Korea Institute of Science and Technology Information',
    homepageUrl: 'https://www.kisti.re.kr/',
    registers:
      'Korean articles, proceedings, official documents, patents, reports and data. Its service is called the Korean DOI Center.',
  },
  {
    name: 'mEDRA',
    title: 'Multilingual European DOI Registration Agency',
    homepageUrl: 'https://www.medra.org/',
    registers: 'Publications of all kinds, most of them European.',
    metadataApiUrl: 'https://api.medra.org/metadata/',
    contentNegotiationUrl: 'https://data.medra.org/',
  },
  {
    name: 'OP',
    title: 'Publications Office of the European Union',
    homepageUrl: 'https://op.europa.eu/',
    registers: 'Publications of the institutions of the European Union, such as its Official Journal.',
  },
];

export const REGISTRATION_AGENCIES: readonly RegistrationAgency[] = DETAILS.map((details) =>
  Object.freeze({ knownAsOf: LIST_READ_ON, source: LIST_URL, ...details }),
);

const BY_NAME = new Map(REGISTRATION_AGENCIES.map((agency) => [foldBasicLatin(agency.name), agency]));

/** Finds an agency by its label, in any letter case. Null if the list does not have the label. */
export function findRegistrationAgency(name: string): RegistrationAgency | null {
  return BY_NAME.get(foldBasicLatin(name)) ?? null;
}
