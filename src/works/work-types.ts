// Which type a work has: in the words of Crossref and DataCite, in CSL, BibTeX and RIS.

/**
 * BibTeX: Patashnik, "BibTeXing", 1988, section 3.1; `misc` if no type fits. RIS: "RIS Format Specifications", Reference
 * Manager, 2011. CSL: CSL 1.0.2, appendix III. Crossref: https://api.crossref.org/types. DataCite: `resourceTypeGeneral`,
 * https://datacite-metadata-schema.readthedocs.io/en/4.6/appendices/appendix-1/resourceTypeGeneral/
 * If several rows have the same CSL type, a work with this CSL type has the BibTeX and RIS types of the first row.
 */
const TABLE = `
CSL                    BibTeX        RIS     Crossref                                    DataCite
article                misc          UNPB    posted-content                              Preprint
article-journal        article       JOUR    journal-article                             JournalArticle,DataPaper
article-magazine       article       MGZN    -                                           -
article-newspaper      article       NEWS    -                                           -
bill                   misc          BILL    -                                           -
book                   book          BOOK    book,monograph,reference-book               Book
book                   book          EDBOOK  edited-book                                 -
book                   book          SER     book-series,book-set,proceedings-series     -
book                   proceedings   CONF    proceedings                                 ConferenceProceeding
broadcast              misc          MPCT    -                                           -
chapter                incollection  CHAP    book-chapter,book-part,book-section,book-track  BookChapter
chapter                techreport    RPRT    report-component                            -
classic                book          CLSWK   -                                           -
collection             misc          GEN     -                                           Collection
dataset                misc          DATA    dataset                                     Dataset
dataset                misc          DBASE   database                                    -
document               misc          GEN     component,other                             Other
document               misc          GRANT   grant                                       Award
entry                  incollection  CHAP    -                                           -
entry-dictionary       incollection  DICT    -                                           -
entry-encyclopedia     incollection  ENCYC   reference-entry                             -
event                  misc          GEN     -                                           Event
figure                 misc          FIGURE  -                                           -
graphic                misc          ART     -                                           Image
hearing                misc          HEAR    -                                           -
interview              misc          GEN     -                                           -
legal_case             misc          CASE    -                                           -
legislation            misc          STAT    -                                           -
manuscript             unpublished   UNPB    -                                           -
map                    misc          MAP     -                                           -
motion_picture         misc          MPCT    -                                           Audiovisual
musical_score          misc          MUSIC   -                                           -
pamphlet               booklet       PAMP    -                                           -
paper-conference       inproceedings CPAPER  proceedings-article                         ConferencePaper
patent                 misc          PAT     -                                           -
performance            misc          GEN     -                                           -
periodical             misc          JFULL   journal,journal-volume,journal-issue        Journal
personal_communication misc          PCOMM   -                                           -
post                   misc          ELEC    -                                           -
post-weblog            misc          BLOG    -                                           -
regulation             misc          STAT    -                                           -
report                 techreport    RPRT    report                                      Report,OutputManagementPlan
report                 techreport    SER     report-series                               -
review                 misc          GEN     peer-review                                 PeerReview
review-book            article       JOUR    -                                           -
software               misc          COMP    -                                           Software,ComputationalNotebook
song                   misc          SOUND   -                                           Sound
speech                 misc          SLIDE   -                                           Poster,Presentation
standard               misc          STAND   standard                                    Standard
thesis                 phdthesis     THES    dissertation                                Dissertation
treaty                 misc          STAT    -                                           -
webpage                misc          ELEC    -                                           -
`;

interface WorkType {
  readonly csl: string;
  readonly bibtex: string;
  readonly ris: string;
  readonly crossref: readonly string[];
  readonly datacite: readonly string[];
}

const ROWS: readonly WorkType[] = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [csl = '', bibtex = '', ris = '', ...agencies] = line.split(/ +/);
    const [crossref = [], datacite = []] = agencies.map((words) =>
      words.split(',').filter((each) => each !== '-'),
    );
    return { csl, bibtex, ris, crossref, datacite };
  });

/** The CSL type of a work whose type is not in the table. */
export const OTHER_CSL_TYPE = 'document';

const NO_ROW: WorkType = { csl: OTHER_CSL_TYPE, bibtex: 'misc', ris: 'GEN', crossref: [], datacite: [] };

function rowsByWord(wordsOf: (row: WorkType) => readonly string[]): ReadonlyMap<string, WorkType> {
  const pairs = ROWS.flatMap((row) => wordsOf(row).map((word) => [word, row] as const));
  // The first row of a word is last in the list, so the map keeps it.
  return new Map(pairs.reverse());
}

const BY_CSL = rowsByWord(({ csl }) => [csl]);
const BY_CROSSREF = rowsByWord(({ crossref }) => crossref);
const BY_DATACITE = rowsByWord(({ datacite }) => datacite);

/** The CSL type for a `resourceTypeGeneral` of DataCite; null if the table does not have the word. */
export function cslTypeOfDatacite(resourceTypeGeneral: string | null): string | null {
  return BY_DATACITE.get(resourceTypeGeneral ?? '')?.csl ?? null;
}

/** The CSL type for a type of CSL or of Crossref, because services send both kinds of words in CSL JSON. */
export function cslTypeOf(type: string | null): string {
  return rowOf(type).csl;
}

/** The types of BibTeX and RIS. @param type a type of CSL or of Crossref */
export function entryTypes(type: string | null): { readonly bibtex: string; readonly ris: string } {
  return rowOf(type);
}

function rowOf(type: string | null): WorkType {
  return BY_CSL.get(type ?? '') ?? BY_CROSSREF.get(type ?? '') ?? NO_ROW;
}
