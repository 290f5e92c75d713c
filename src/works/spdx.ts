// SPDX's identifiers of licences: https://spdx.org/licenses/

/** Licences that records of DataCite name often, in SPDX's spelling, without the Creative Commons licences. */
const SPELLINGS = `
  0BSD AFL-3.0 AGPL-3.0 AGPL-3.0-only AGPL-3.0-or-later Apache-1.1 Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause
  BSD-3-Clause-Clear BSD-4-Clause BSL-1.0 CDDL-1.0 CECILL-2.0 CECILL-2.1 CECILL-B CECILL-C ECL-2.0 EPL-1.0 EPL-2.0
  etalab-2.0 EUPL-1.0 EUPL-1.1 EUPL-1.2 GFDL-1.3 GPL-1.0 GPL-2.0 GPL-2.0-only GPL-2.0-or-later GPL-3.0 GPL-3.0-only
  GPL-3.0-or-later ISC LGPL-2.0 LGPL-2.1 LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0 LGPL-3.0-only LGPL-3.0-or-later
  LPPL-1.3c MIT MIT-0 MPL-1.1 MPL-2.0 MS-PL MulanPSL-2.0 NCSA NLOD-1.0 NLOD-2.0 ODbL-1.0 ODC-By-1.0 OFL-1.1 OGL-UK-1.0
  OGL-UK-2.0 OGL-UK-3.0 OSL-3.0 PDDL-1.0 PostgreSQL PSF-2.0 Python-2.0 UPL-1.0 Unlicense W3C WTFPL X11 Zlib
`;
const SPELLING_OF = new Map(
  SPELLINGS.trim()
    .split(/\s+/)
    .map((id) => [id.toLowerCase(), id] as const),
);

const IDENTIFIER = /^[a-z\d][a-z\d.+-]{0,99}$/i;

/** An identifier in SPDX's spelling: `cc-by-4.0` is `CC-BY-4.0`. Null for a text that cannot be an identifier. */
export function spdxSpelling(identifier: string | null): string | null {
  if (identifier === null || !IDENTIFIER.test(identifier)) return null;
  if (/^cc(?:0|-|$)/i.test(identifier)) return identifier.toUpperCase();
  return SPELLING_OF.get(identifier.toLowerCase()) ?? identifier;
}

/** `http://creativecommons.org/licenses/by-nc/3.0/de/deed.de`: the code, the version, the jurisdiction. */
const CREATIVE_COMMONS =
  /^https?:\/\/(?:www\.)?creativecommons\.org\/(licenses|publicdomain)\/([a-z-]{2,11})\/(\d\.\d)(?:\/(igo|[a-z]{2}))?(?:\/(?:legalcode|deed)?(?:\.[a-z_-]{2,10})?)?\/?(?:[?#].{0,200})?$/i;
const CODES = new Set(['by', 'by-sa', 'by-nc', 'by-nd', 'by-nc-sa', 'by-nc-nd']);
const VERSIONS = new Set(['1.0', '2.0', '2.5', '3.0', '4.0']);
/** Jurisdictions have SPDX identifiers only for these licences. */
const OF_JURISDICTIONS = new Set(
  `by-2.5-au by-3.0-at by-3.0-au by-3.0-de by-3.0-igo by-3.0-nl by-3.0-us by-nc-3.0-de by-nc-nd-3.0-de by-nc-nd-3.0-igo
   by-nc-sa-2.0-de by-nc-sa-2.0-fr by-nc-sa-2.0-uk by-nc-sa-3.0-de by-nc-sa-3.0-igo by-nd-3.0-de by-sa-2.0-uk
   by-sa-2.1-jp by-sa-3.0-at by-sa-3.0-de by-sa-3.0-igo`.split(/\s+/),
);
const PUBLIC_DOMAIN: Readonly<Record<string, string>> = {
  'zero-1.0': 'CC0-1.0',
  'mark-1.0': 'CC-PDM-1.0',
};

/** The identifier of a Creative Commons licence from its address; null for any other address. */
export function spdxOfAddress(url: string | null): string | null {
  const [, family, code, version, jurisdiction] = CREATIVE_COMMONS.exec(url ?? '') ?? [];
  if (family === undefined || code === undefined || version === undefined) return null;
  const licence = `${code}-${version}`.toLowerCase();
  if (family.toLowerCase() === 'publicdomain') return PUBLIC_DOMAIN[licence] ?? null;
  if (jurisdiction !== undefined) {
    const ported = `${licence}-${jurisdiction.toLowerCase()}`;
    return OF_JURISDICTIONS.has(ported) ? `CC-${ported.toUpperCase()}` : null;
  }
  return CODES.has(code.toLowerCase()) && VERSIONS.has(version) ? `CC-${licence.toUpperCase()}` : null;
}
