// The kind of a work, in one vocabulary for the types of Crossref, of DataCite and of CSL.

import { isThesis } from './theses.ts';

/**
 * Crossref: https://api.crossref.org/types. DataCite: `resourceTypeGeneral`,
 * https://datacite-metadata-schema.readthedocs.io/en/4.6/appendices/appendix-1/resourceTypeGeneral/. CSL 1.0.2, appendix III.
 * The words are without hyphens, spaces and capitals, because DataCite's free words are written in many ways.
 */
const WORDS_OF_KIND = {
  ARTICLE: 'journalarticle articlejournal articlemagazine articlenewspaper datapaper reviewbook',
  BOOK: 'book monograph referencebook editedbook bookseries bookset',
  BOOK_CHAPTER: 'bookchapter bookpart booksection booktrack chapter',
  CONFERENCE_PAPER: 'proceedingsarticle conferencepaper paperconference',
  PROCEEDINGS: 'proceedings proceedingsseries conferenceproceeding',
  DATASET: 'dataset database',
  DISSERTATION: 'dissertation thesis',
  GRANT: 'grant award',
  IMAGE: 'image figure graphic map',
  AUDIOVISUAL: 'audiovisual motionpicture broadcast',
  SOUND: 'sound song',
  COLLECTION: 'collection',
  COMPONENT: 'component reportcomponent',
  INSTRUMENT: 'instrument',
  MODEL: 'model',
  PEER_REVIEW: 'peerreview review',
  PERIODICAL: 'periodical journal journalvolume journalissue',
  PHYSICAL_OBJECT: 'physicalobject',
  POSTER: 'poster',
  PREPRINT: 'preprint',
  PRESENTATION: 'presentation speech',
  PROJECT: 'project',
  REFERENCE_ENTRY: 'referenceentry entry entrydictionary entryencyclopedia',
  REPORT: 'report reportseries outputmanagementplan',
  SOFTWARE: 'software computationalnotebook',
  STANDARD: 'standard standardseries',
  STUDY_REGISTRATION: 'studyregistration',
  WORKFLOW: 'workflow',
  OTHER: 'other event interactiveresource service',
} as const;

/** Words of `resourceType` that are too vague in the other vocabularies: `article` is also DataCite's fallback. */
const FREE_WORDS = {
  ARTICLE: 'article researcharticle reviewarticle',
  REPORT: 'technicalreport researchreport projectreport',
} as const;

export type WorkKind = keyof typeof WORDS_OF_KIND;

const kindsByWord = (
  wordsOfKind: Readonly<Partial<Record<WorkKind, string>>>,
): ReadonlyMap<string, WorkKind> =>
  new Map(
    Object.entries(wordsOfKind).flatMap(([kind, words]) =>
      words.split(' ').map((word) => [word, kind as WorkKind] as const),
    ),
  );
const KIND_OF_WORD = kindsByWord(WORDS_OF_KIND);
const KIND_OF_FREE_WORD = kindsByWord(FREE_WORDS);

/** The longest known word has 21 letters. A longer text is no word of a vocabulary. */
const MAX_CHARACTERS = 50;

/** The kind that the words of an agency or of CSL name, in any spelling; null if they name no kind. */
export function kindNamed(words: string | null, kinds = KIND_OF_WORD): WorkKind | null {
  if (words === null || words.length > MAX_CHARACTERS) return null;
  return kinds.get(words.toLowerCase().replace(/[^a-z]/g, '')) ?? null;
}

/** @param subtype of `posted-content`. Lists of Crossref leave it out. */
export function kindOfCrossref(type: string | null, subtype: string | null): WorkKind {
  if (type === 'posted-content') return subtype === null || subtype === 'preprint' ? 'PREPRINT' : 'OTHER';
  return kindNamed(type) ?? 'OTHER';
}

interface DataciteTypes {
  readonly resourceTypeGeneral: string | null;
  readonly citeproc: string | null;
  readonly resourceType: string | null;
}

/** `Text` is too vague, so the next member counts. `citeproc` is `article` if DataCite knows no better type. */
export function kindOfDatacite({ resourceTypeGeneral, citeproc, resourceType }: DataciteTypes): WorkKind {
  if (resourceTypeGeneral !== null && resourceTypeGeneral !== 'Text') {
    return kindNamed(resourceTypeGeneral) ?? 'OTHER';
  }
  const ofWords = kindNamed(resourceType) ?? kindNamed(resourceType, KIND_OF_FREE_WORD);
  return kindNamed(citeproc) ?? ofWords ?? (isThesis(resourceType) ? 'DISSERTATION' : 'OTHER');
}
