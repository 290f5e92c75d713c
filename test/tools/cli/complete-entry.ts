// Completes BibTeX from the metadata of one work.

import type { DoiName } from 'doi-names';
import { completeBibtex } from '../../../src/tools/cli/cite/complete-bibtex.ts';
import { writeBibtex } from '../../../src/works/bibtex.ts';
import type { CslItem } from '../../../src/works/work.ts';

export const CSL = {
  type: 'article-journal',
  title: 'Toward a unified theory of H<sub>2</sub>O',
  author: [
    { family: 'Carberry', given: 'Josiah' },
    { family: 'García Márquez', given: 'Gabriel' },
  ],
  issued: { 'date-parts': [[2008, 8, 13]] },
  'container-title': 'Journal of Psychoceramics Letters',
  volume: '5',
  page: '10-20',
  publisher: 'Brown & Co',
  ISSN: ['0264-3561', '1472-9032'],
};

/** Each DOI of the text identifies the work. */
export const complete = (text: string, csl: CslItem = CSL, force = false) => {
  const lookUp = async (names: readonly DoiName[]) =>
    names.map((name) => ({ exists: true, text: writeBibtex(csl, name) }));
  return completeBibtex('refs.bib', text, { lookUp, force });
};
