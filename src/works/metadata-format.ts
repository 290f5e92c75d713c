// The formats that the gateway requests from agencies, and their media types. The gateway writes BibTeX and RIS itself.

/**
 * Crossref, DataCite and mEDRA document these formats for content negotiation.
 * https://www.crossref.org/documentation/retrieve-metadata/content-negotiation/
 */
export type MetadataFormat =
  | { readonly kind: 'csl' }
  /** the language of a Crossref work: Crossref's lists do not contain the language */
  | { readonly kind: 'language' }
  /** what the work cites, only from the APIs of the agencies */
  | { readonly kind: 'references' }
  /** what an agency's search finds; the words of the search stand in place of a name */
  | { readonly kind: 'search' }
  /** the work that a reference describes; the words of the reference stand in place of a name */
  | { readonly kind: 'match' }
  | { readonly kind: 'citation'; readonly style: CitationStyle; readonly locale: CitationLocale };

export const CSL: MetadataFormat = Object.freeze({ kind: 'csl' });
export const LANGUAGE: MetadataFormat = Object.freeze({ kind: 'language' });
export const REFERENCES: MetadataFormat = Object.freeze({ kind: 'references' });
export const SEARCH: MetadataFormat = Object.freeze({ kind: 'search' });
export const MATCH: MetadataFormat = Object.freeze({ kind: 'match' });

/** The header `Accept` that requests the format. */
export function acceptOf(format: MetadataFormat): string {
  return format.kind === 'citation'
    ? `text/x-bibliography; style=${format.style}; locale=${format.locale}`
    : 'application/vnd.citationstyles.csl+json';
}

/** A unique key of a format: `csl`, `citation apa en-US`. */
export function formatKey(format: MetadataFormat): string {
  return format.kind === 'citation' ? `citation ${format.style} ${format.locale}` : format.kind;
}

/** Styles with stable names, from https://github.com/citation-style-language/styles. The gateway refuses other styles. */
export const CITATION_STYLES = [
  ...['acm-sig-proceedings', 'american-anthropological-association', 'american-chemical-society'],
  ...['american-geophysical-union', 'american-institute-of-physics', 'american-medical-association'],
  ...['american-meteorological-society', 'american-physics-society'],
  ...['american-political-science-association', 'american-society-for-microbiology'],
  ...['american-sociological-association', 'angewandte-chemie', 'apa'],
  ...['association-for-computing-machinery', 'biomed-central', 'bmj', 'cell', 'chicago-author-date'],
  ...['chicago-fullnote-bibliography', 'chicago-note-bibliography', 'council-of-science-editors'],
  ...['din-1505-2', 'elife', 'elsevier-harvard', 'elsevier-vancouver', 'elsevier-with-titles'],
  ...['f1000research', 'frontiers', 'harvard-cite-them-right', 'ieee', 'iso690-author-date-en'],
  ...['modern-humanities-research-association', 'modern-language-association', 'nature', 'oscola', 'plos'],
  ...['pnas', 'royal-society-of-chemistry', 'science', 'springer-basic-author-date'],
  ...['springer-basic-brackets', 'springer-vancouver-brackets', 'taylor-and-francis-chicago-author-date'],
  ...['the-lancet', 'turabian-author-date', 'turabian-fullnote-bibliography'],
  ...['unified-style-sheet-for-linguistics', 'vancouver'],
] as const;
export type CitationStyle = (typeof CITATION_STYLES)[number];

/** https://github.com/citation-style-language/locales */
export const CITATION_LOCALES = [
  ...['af-ZA', 'ar', 'bg-BG', 'ca-AD', 'cs-CZ', 'cy-GB', 'da-DK', 'de-AT', 'de-CH', 'de-DE', 'el-GR'],
  ...['en-GB', 'en-US', 'es-CL', 'es-ES', 'es-MX', 'et-EE', 'eu', 'fa-IR', 'fi-FI', 'fr-CA', 'fr-FR'],
  ...['he-IL', 'hi-IN', 'hr-HR', 'hu-HU', 'id-ID', 'is-IS', 'it-IT', 'ja-JP', 'km-KH', 'ko-KR', 'la'],
  ...['lt-LT', 'lv-LV', 'mn-MN', 'nb-NO', 'nl-NL', 'nn-NO', 'pl-PL', 'pt-BR', 'pt-PT', 'ro-RO', 'ru-RU'],
  ...['sk-SK', 'sl-SI', 'sr-RS', 'sv-SE', 'th-TH', 'tr-TR', 'uk-UA', 'vi-VN', 'zh-CN', 'zh-TW'],
] as const;
export type CitationLocale = (typeof CITATION_LOCALES)[number];

export function isCitationStyle(style: string): style is CitationStyle {
  return (CITATION_STYLES as readonly string[]).includes(style);
}

export function isCitationLocale(locale: string): locale is CitationLocale {
  return (CITATION_LOCALES as readonly string[]).includes(locale);
}
