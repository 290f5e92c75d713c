// All encoding forms as one table, to be held against the documents that define them.

import * as forms from './encoding-forms.ts';
import type { DoiName } from './name.ts';

export interface DoiEncoding {
  readonly label: string;
  readonly sourceDocument: string;
  readonly encode: (name: DoiName) => string;
}

const HANDBOOK = 'DOI Handbook, DOI Name Encoding Rules for URL Presentation';
const URI_SCHEME = 'DOI URI scheme specification';
const WEB_NOTE = 'Handling of Special Characters Within the DOI Syntax (2000)';
const NISO = 'ANSI/NISO Z39.84-2000';
const RESOLUTION = 'DOI Resolution Documentation';

export const DOI_ENCODINGS = {
  NAME: { label: 'DOI name', sourceDocument: 'DOI Handbook', encode: (name) => name },
  DISPLAY: { label: 'Display form', sourceDocument: URI_SCHEME, encode: forms.displayForm },
  URI: { label: 'DOI Name URI', sourceDocument: URI_SCHEME, encode: forms.uriForm },
  URL_RECOMMENDED: { label: 'URL', sourceDocument: HANDBOOK, encode: forms.recommendedUrl },
  URL_MANDATORY: { label: 'URL, mandatory encoding', sourceDocument: HANDBOOK, encode: forms.mandatoryUrl },
  DX_URL: { label: 'Old link (dx.doi.org)', sourceDocument: NISO, encode: forms.dxUrl },
  URN: { label: 'URN', sourceDocument: HANDBOOK, encode: forms.urnForm },
  URN_URL: { label: 'URN as URL', sourceDocument: HANDBOOK, encode: forms.urnUrl },
  INFO_URI: { label: 'info URI', sourceDocument: 'RFC 4452', encode: forms.infoUri },
  HANDLE_URI: { label: 'Handle URI', sourceDocument: 'Handle System, RFC 3650', encode: forms.handleUri },
  API_URL: { label: 'REST API URL', sourceDocument: URI_SCHEME, encode: forms.apiUrl },
  WHICH_RA_URL: { label: 'Which RA URL', sourceDocument: RESOLUTION, encode: forms.whichRaUrl },
  WEB_FORM: { label: 'Web form and batch input', sourceDocument: WEB_NOTE, encode: forms.webForm },
  HTML: { label: 'HTML link', sourceDocument: NISO, encode: forms.htmlLink },
  MARKDOWN: { label: 'Markdown link', sourceDocument: 'CommonMark', encode: forms.markdownLink },
  UTF8_HEX: { label: 'UTF-8 bytes', sourceDocument: NISO, encode: forms.utf8Hex },
  CODE_POINTS: {
    label: 'Unicode code points',
    sourceDocument: URI_SCHEME,
    encode: (name) => forms.codePoints(name).join(' '),
  },
} as const satisfies Record<string, DoiEncoding>;

export type DoiEncodingForm = keyof typeof DOI_ENCODINGS;
