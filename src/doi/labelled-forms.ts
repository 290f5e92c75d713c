// A table of all encoding forms. A reader can compare it with the documents that define the forms.

import * as forms from './encoding-forms.ts';
import type { DoiName } from './name.ts';

interface DoiEncoding {
  readonly label: string;
  readonly sourceDocument: string;
  /** the parser reads every name back from this form */
  readonly isReadable: boolean;
  readonly encode: (name: DoiName) => string;
}

const HANDBOOK = 'DOI Handbook, DOI Name Encoding Rules for URL Presentation';
const URI_SCHEME = 'DOI URI scheme specification';
const WEB_NOTE = 'Handling of Special Characters Within the DOI Syntax (2000)';
const NISO = 'ANSI/NISO Z39.84-2000';
const RESOLUTION = 'DOI Resolution Documentation';

type Encode = DoiEncoding['encode'];

function readable(label: string, sourceDocument: string, encode: Encode): DoiEncoding {
  return { label, sourceDocument, encode, isReadable: true };
}

function writtenOnly(label: string, sourceDocument: string, encode: Encode): DoiEncoding {
  return { label, sourceDocument, encode, isReadable: false };
}

export const DOI_ENCODINGS = {
  NAME: writtenOnly('DOI name', 'DOI Handbook', (name) => name),
  DISPLAY: writtenOnly('Display form', URI_SCHEME, forms.displayForm),
  URI: readable('DOI Name URI', URI_SCHEME, forms.uriForm),
  URL_RECOMMENDED: readable('URL', HANDBOOK, forms.recommendedUrl),
  URL_MANDATORY: readable('URL, mandatory encoding', HANDBOOK, forms.mandatoryUrl),
  DX_URL: readable('Old link (dx.doi.org)', NISO, forms.dxUrl),
  URN: readable('URN', HANDBOOK, forms.urnForm),
  URN_URL: readable('URN as URL', HANDBOOK, forms.urnUrl),
  INFO_URI: readable('info URI', 'RFC 4452', forms.infoUri),
  HANDLE_URI: readable('Handle URI', 'Handle System, RFC 3650', forms.handleUri),
  API_URL: readable('REST API URL', URI_SCHEME, forms.apiUrl),
  WHICH_RA_URL: readable('Which RA URL', RESOLUTION, forms.whichRaUrl),
  WEB_FORM: readable('Web form and batch input', WEB_NOTE, forms.webForm),
  HTML: writtenOnly('HTML link', NISO, forms.htmlLink),
  MARKDOWN: writtenOnly('Markdown link', 'CommonMark', forms.markdownLink),
  UTF8_HEX: writtenOnly('UTF-8 bytes', NISO, forms.utf8Hex),
  CODE_POINTS: writtenOnly('Unicode code points', URI_SCHEME, (name) => forms.codePoints(name).join(' ')),
} as const satisfies Record<string, DoiEncoding>;

export type DoiEncodingForm = keyof typeof DOI_ENCODINGS;
