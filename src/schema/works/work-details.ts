// The fields of DOIMetadata beyond a citation: kind, licences, funding, subjects, files and counts.

import { remember } from '../../handle/json.ts';
import { listInText, readCslDetails } from '../../works/csl-details.ts';
import { readPlainText } from '../../works/work.ts';
import type { FullText, Funding, License, WorkDetails } from '../../works/work-details.ts';
import type { WorkKind } from '../../works/work-kinds.ts';
import { builder, describedEnum } from '../builder.ts';
import { type DescribedWork, DoiMetadataType, optional, PartialDateType } from './doi-metadata.ts';

const detailsOfCsl = remember(readCslDetails);

export function detailsOf({ csl, history }: DescribedWork): WorkDetails {
  return history?.details ?? detailsOfCsl(csl);
}

const WorkKindEnum = describedEnum<WorkKind>(
  'WorkKind',
  'The kind of a work, in the same words for all agencies. `agencyType` has the agency’s own word.',
  {
    ARTICLE: 'An article in a journal, magazine or newspaper, also a data paper.',
    BOOK: 'A book, a book series or a set of books.',
    BOOK_CHAPTER: 'A chapter or another part of a book.',
    CONFERENCE_PAPER: 'A paper in the proceedings of a conference.',
    PROCEEDINGS: 'The proceedings of a conference.',
    DATASET: 'A dataset or a database.',
    DISSERTATION: 'A thesis of any degree.',
    GRANT: 'A grant or an award.',
    IMAGE: 'An image, a figure or a map.',
    AUDIOVISUAL: 'A film, a video or a broadcast.',
    SOUND: 'A sound recording.',
    COLLECTION: 'A collection of works.',
    COMPONENT: 'A part of a work, such as a figure with its own DOI.',
    INSTRUMENT: 'A measuring instrument.',
    MODEL: 'A model, such as a model of the climate.',
    PEER_REVIEW: 'A review of another work.',
    PERIODICAL: 'A journal, or one of its volumes or issues.',
    PHYSICAL_OBJECT: 'A physical object, such as a sample.',
    POSTER: 'A poster, mostly of a conference.',
    PREPRINT: 'A version before publication in a journal.',
    PRESENTATION: 'A presentation: slides or a speech.',
    PROJECT: 'A research project.',
    REFERENCE_ENTRY: 'An entry of an encyclopedia or a dictionary.',
    REPORT: 'A report, a series of reports or a data management plan.',
    SOFTWARE: 'Software or a computational notebook.',
    STANDARD: 'A standard.',
    STUDY_REGISTRATION: 'The registration of a study.',
    WORKFLOW: 'A computational workflow.',
    OTHER: 'A kind that is not in this list, or unknown: read `agencyType` and `resourceType`.',
  },
);

const LicenseType = builder.objectRef<License>('DOILicense').implement({
  description: 'A licence of a work. One work can have several licences, for example for each version.',
  fields: (t) => ({
    url: t.exposeString('url', {
      nullable: true,
      description: optional('The address: `https://creativecommons.org/licenses/by/4.0/`.'),
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: optional('The name: `Creative Commons Attribution 4.0 International`.'),
    }),
    spdx: t.exposeString('spdx', {
      nullable: true,
      description:
        'The identifier of SPDX: `CC-BY-4.0`. For Creative Commons licences, the gateway can read it from the address. Null if unknown.',
    }),
    appliesTo: t.exposeString('appliesTo', {
      nullable: true,
      description: optional(
        'The version with this licence, in Crossref’s words: `vor` (version of record), `am` (accepted manuscript), `tdm` (text mining).',
      ),
    }),
    from: t.expose('from', {
      type: PartialDateType,
      nullable: true,
      description: optional('The first day of the licence: `from { text }` is `2021-03-23`.'),
    }),
  }),
});

const FundingType = builder.objectRef<Funding>('DOIFunding').implement({
  description: 'An award for a work, or a funder without an award.',
  fields: (t) => ({
    funder: t.exposeString('funder', {
      description: 'The funder: `European Commission`. If the agency gives no name, the identifier.',
    }),
    funderId: t.exposeString('funderId', {
      nullable: true,
      description: optional(
        'The identifier of the funder as an address: `https://doi.org/10.13039/100010661` or `https://ror.org/00k4n6c32`.',
      ),
    }),
    awardNumber: t.exposeString('awardNumber', {
      nullable: true,
      description: optional('The number of the award: `822336`.'),
    }),
    awardTitle: t.exposeString('awardTitle', {
      nullable: true,
      description: optional('The title of the award: `Psychoceramics for all`.'),
    }),
    awardUrl: t.exposeString('awardUrl', {
      nullable: true,
      description: optional('The address of the award: `https://cordis.europa.eu/project/id/822336`.'),
    }),
  }),
});

const FullTextType = builder.objectRef<FullText>('DOIFullText').implement({
  description: 'A link to the full text of a work. The link can need a subscription.',
  fields: (t) => ({
    url: t.exposeString('url', {
      description: 'The address, of http or https: `https://example.org/182.pdf`.',
    }),
    contentType: t.exposeString('contentType', {
      nullable: true,
      description: optional('The media type: `application/pdf`, `unspecified`.'),
    }),
    version: t.exposeString('version', {
      nullable: true,
      description: optional('The version: `vor` (version of record), `am` (accepted manuscript).'),
    }),
    intendedFor: t.exposeString('intendedFor', {
      nullable: true,
      description: optional('The use that the publisher intends: `text-mining`, `similarity-checking`.'),
    }),
  }),
});

builder.objectFields(DoiMetadataType, (t) => {
  const text = (member: 'agencyType' | 'resourceType', description: string) =>
    t.string({
      nullable: true,
      description: optional(description),
      resolve: (work) => detailsOf(work)[member],
    });
  const texts = (member: 'subjects' | 'sizes' | 'formats', description: string) =>
    t.stringList({ description, resolve: (work) => detailsOf(work)[member] });
  const number = (member: 'referenceCount' | 'citationCount', description: string) =>
    t.int({
      nullable: true,
      description: optional(description),
      resolve: (work) => detailsOf(work)[member],
    });
  return {
    kind: t.field({
      type: WorkKindEnum,
      description: 'The kind of the work, in the same words for all agencies: ARTICLE.',
      resolve: (work) => detailsOf(work).kind,
    }),
    agencyType: text('agencyType', "The agency's own word: `journal-article`, `Dataset`."),
    resourceType: text('resourceType', 'The free words beside `agencyType`: `preprint`, `Census data`.'),
    subjects: texts('subjects', 'The subjects: `["Biodiversity"]`. Empty if the agency gives none.'),
    licenses: t.field({
      type: [LicenseType],
      description: 'The licences: `licenses { spdx }` is `CC-BY-4.0`. Empty if the agency gives none.',
      resolve: (work) => detailsOf(work).licenses,
    }),
    funding: t.field({
      type: [FundingType],
      description: 'The funding, one entry for each award. Empty if the agency gives none.',
      resolve: (work) => detailsOf(work).funding,
    }),
    issn: t.stringList({
      description: 'The ISSNs of the container: `["1687-7977"]`. Empty if the agency gives none.',
      resolve: ({ csl }) => listInText(csl['ISSN']),
    }),
    isbn: t.stringList({
      description: 'The ISBNs: `["9780199567027"]`. Empty if the agency gives none.',
      resolve: ({ csl }) => listInText(csl['ISBN']),
    }),
    version: t.string({
      nullable: true,
      description: optional('The version: `1.2.0`.'),
      resolve: ({ csl }) => readPlainText(csl['version']),
    }),
    sizes: texts('sizes', 'The sizes: `["472 cases"]`. Empty if the agency gives none.'),
    formats: texts('formats', 'The formats: `["text/csv"]`. Empty if the agency gives none.'),
    fullTexts: t.field({
      type: [FullTextType],
      description: 'Links to the full text. Empty if the agency gives none.',
      resolve: (work) => detailsOf(work).fullTexts,
    }),
    referenceCount: number('referenceCount', 'How many references the agency has: `42`.'),
    citationCount: number('citationCount', 'How many works cite this work, as its agency counts: `7`.'),
    registeredAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: optional('When the agency registered the name: `2024-08-03T03:34:42.000Z`.'),
      resolve: (work) => detailsOf(work).registeredAt,
    }),
  };
});
