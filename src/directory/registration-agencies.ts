// The DOI registration agencies whose labels the Which RA service is known to give.

import { foldBasicLatin } from '../doi/name.ts';

export interface RegistrationAgency {
  /** the label, as Which RA gives it */
  readonly name: string;
  readonly title: string;
  readonly homepageUrl: string;
}

export const REGISTRATION_AGENCIES: readonly RegistrationAgency[] = [
  {
    name: 'CNKI',
    title: 'China National Knowledge Infrastructure',
    homepageUrl: 'https://www.cnki.net/',
  },
  { name: 'Crossref', title: 'Crossref', homepageUrl: 'https://www.crossref.org/' },
  { name: 'DataCite', title: 'DataCite', homepageUrl: 'https://datacite.org/' },
  { name: 'EIDR', title: 'Entertainment Identifier Registry', homepageUrl: 'https://www.eidr.org/' },
  {
    name: 'ISTIC',
    title: 'Institute of Scientific and Technical Information of China',
    homepageUrl: 'https://www.istic.ac.cn/',
  },
  { name: 'JaLC', title: 'Japan Link Center', homepageUrl: 'https://japanlinkcenter.org/' },
  {
    name: 'KISTI',
    title: 'Korea Institute of Science and Technology Information',
    homepageUrl: 'https://www.kisti.re.kr/',
  },
  {
    name: 'mEDRA',
    title: 'Multilingual European DOI Registration Agency',
    homepageUrl: 'https://www.medra.org/',
  },
  {
    name: 'OP',
    title: 'Publications Office of the European Union',
    homepageUrl: 'https://op.europa.eu/',
  },
];

const BY_NAME = new Map(REGISTRATION_AGENCIES.map((agency) => [foldBasicLatin(agency.name), agency]));

/** The agency of a label, in any case; null when it is not among those known here: labels are an open set. */
export function findRegistrationAgency(name: string): RegistrationAgency | null {
  return BY_NAME.get(foldBasicLatin(name)) ?? null;
}
