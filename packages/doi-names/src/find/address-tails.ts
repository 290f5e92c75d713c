// What publishers and services add to a name in the addresses of their pages, files and images. Everything that is cut
// from a name in an address is in this table, with an address that shows it.

import { VIEWS } from '../stray-text.ts';

export interface AddressTail {
  /** the platforms that make such addresses */
  readonly of: string;
  /** an address of the name 10.1000/182 */
  readonly example: string;
  /** the address before the name must match; default: every address of a page */
  readonly address?: RegExp;
  /** the tail begins where this matches */
  readonly from?: RegExp;
  /** the tail is one of these endings, in lower case */
  readonly endings?: readonly string[];
}

const words = (text: string): readonly string[] => text.split(' ');

export const ADDRESS_TAILS: readonly AddressTail[] = [
  { of: 'Atypon, HighWire, Springer', example: 'https://x.example/doi/10.1000/182/full', endings: VIEWS },
  {
    of: 'Wiley, Taylor & Francis, Springer, F1000, SAGE (pages of an article)',
    example: 'https://onlinelibrary.wiley.com/doi/10.1000/182/references',
    endings: words(
      '/fulltext /full-text /references /figures /tables /citedby /epub /pdfdirect /full-xml /full/html /xml /download /metrics /export /suppinfo /fulltext.html /full/pdf /html/full /pdfplus /ref /ampdf /data /citations /reader /figure /supplementary /',
    ),
  },
  {
    of: 'HighWire, PLOS, badges (extensions)',
    example: 'https://x.example/content/10.1000/182.full-text',
    endings: words(
      '.full .abstract .full-text .html .htm .xml .epub .short .long .figures-only .svg .ris .bib',
    ),
  },
  {
    of: 'Frontiers, De Gruyter (formats)',
    example: 'https://www.frontiersin.org/articles/10.1000/182/bibTex',
    endings: words('/bibtex /endnote /reference /xml/nlm /ris /readcube /epdf /machine-readable'),
  },
  {
    of: 'Wiley (pages of a journal)',
    example: 'https://onlinelibrary.wiley.com/doi/10.1000/182/issues',
    address: /onlinelibrary[.-]wiley/,
    from: /\/(?:issues?|issuetoc|homepage|home|toc|otherversions|asset|currentissue|earlyview|enhanced|format|suppmat|image_[mn]|productinformation)(?:\/|$)/i,
  },
  {
    of: 'Atypon (ACS, Science, NEJM, ATS): files beside an article',
    example: 'https://pubs.acs.org/doi/suppl/10.1000/182/suppl_file/si_001.pdf',
    from: /\/(?:suppl_file|supplmat|asset\/(?:images?|supinfo))\//i,
  },
  {
    of: 'HighWire (PNAS, Royal Society): files beside an article',
    example: 'https://www.pnas.org/lookup/suppl/doi:10.1000/182/-/DCSupplemental',
    from: /\/-\/|[./]dcsupplemental/i,
  },
  {
    of: 'Springer Nature (images and files)',
    example: 'https://static-content.springer.com/esm/art%3A10.1000%2F182/MediaObjects/1_MOESM1_ESM.pdf',
    from: /\/mediaobjects\//i,
  },
  {
    of: 'Springer (parts of an article)',
    example: 'https://link.springer.com/article/10.1000/182/tables/2',
    from: /\/(?:figures|tables|page-)\/?\d+$/i,
  },
  {
    of: 'Silverchair (Oxford, MIT Press, AIP, GeoScienceWorld, Rockefeller): its number, file and title',
    example: 'https://academic.oup.com/journal/article/doi/10.1000/182/3737828/A-title',
    address: /\/(?:full)?article(?:-[a-z]+)?\/doi\/$/,
    from: /\/\d{3,}(?:\/.*)?$/,
  },
  {
    of: 'bioRxiv, medRxiv: the version, and its pages',
    example: 'https://www.biorxiv.org/content/10.1000/182v1.supplementary-material',
    address: /(?:bio|med)rxiv(?:\.|-)org/,
    from: /v\d{1,2}(?:\.[a-z].*)?$/i,
  },
  {
    of: 'The Journal of Open Source Software',
    example: 'https://joss.theoj.org/papers/10.1000/182/status.svg',
    address: /theoj\.org\//,
    from: /\/(?:status|badge)\.svg$/,
  },
  {
    of: 'APS (figures and supplements)',
    example: 'https://journals.aps.org/prl/supplemental/10.1000/182/readme.txt',
    address: /journals[.-]aps/,
    from: /\/(?:[a-z0-9_-]+\.[a-z]{3,4}|figures\/.*|supplemental.*)$/i,
  },
  {
    of: 'APIs of Crossref, DataCite, Semantic Scholar, Altmetric, Dryad',
    example: 'https://api.crossref.org/works/10.1000/182/transform/application/x-bibtex',
    address: /\/(?:works|dois|paper|datasets|doi|v\d)\/(?:doi:)?$/,
    from: /\/(?:transform|agency|quality|citations|references|versions|download|events|activities|media)(?:\/.*)?$/i,
  },
  {
    // A colour follows the name, and hyphens are doubled.
    of: 'img.shields.io (badges)',
    example: 'https://img.shields.io/badge/DOI-10.1000%2F182-blue',
    address: /img\.shields\.io\//,
    from: /(?<!-)-[a-z0-9]+(?:\.svg)?$/i,
  },
  {
    of: 'Amazon SES (tracked links)',
    example: 'https://x.awstrack.me/L0/https:%2F%2Fdoi.org%2F10.1000%2F182/1/0100017-000000',
    address: /\/l0\/https?:%2f%2f/,
    from: /\/\d\/.*$/,
  },
];

/** A longer suffix has no tail that is searched with `from`. */
const MAX_LENGTH = 400;
const WITH_FROM = ADDRESS_TAILS.flatMap(({ address, from }) =>
  from === undefined ? [] : [{ address, from }],
);
const ENDINGS = ADDRESS_TAILS.flatMap(({ endings = [] }) => endings);
const MAX_ENDING_LENGTH = Math.max(...ENDINGS.map((ending) => ending.length));

/** The length of the suffix before the text that a publisher added. The whole length if no text was added. */
export function lengthBeforeTail(suffix: string, address: string): number {
  if (suffix.length > MAX_LENGTH) return suffix.length;
  let end = suffix.length;
  for (const row of WITH_FROM) {
    if (row.address !== undefined && !row.address.test(address)) continue;
    const at = suffix.slice(0, end).search(row.from);
    if (at > 0) end = at;
  }
  return end;
}

/** The length of one ending; 0 without one. @param endings in lower case */
export function endingLength(name: string, end: number, endings: readonly string[] = ENDINGS): number {
  const tail = name.slice(Math.max(0, end - MAX_ENDING_LENGTH), end).toLowerCase();
  return endings.find((ending) => tail.endsWith(ending))?.length ?? 0;
}
