// The field DOI.references: what a work cites.

import { remember } from '../../handle/json.ts';
import { mapSoon } from '../../time.ts';
import { members } from '../../works/agency-json.ts';
import { REFERENCES } from '../../works/metadata-format.ts';
import { type DepositedReference, readReference, referenceEntries } from '../../works/references.ts';
import { builder } from '../builder.ts';
import { DoiType, doiOrNull } from '../doi/doi.ts';
import { chargedWhenFound } from '../field-price.ts';
import { METADATA_FIELD } from './doi-metadata.ts';

/** Each entry is read once, under however many aliases it is selected. */
const referenceOf = remember(readReference);

const absent = (description: string) => `${description} Null if the publisher did not deposit it.`;

const DoiReferenceType = builder.objectRef<DepositedReference>('DOIReference').implement({
  ...chargedWhenFound,
  description: 'A reference of a work, as its publisher deposited it.',
  fields: (t) => ({
    doi: t.field({
      type: DoiType,
      nullable: true,
      description:
        'The cited work: `doi { name metadata { title } updates { outcome } }`. Null if the reference has no DOI, or a text that is not a DOI.',
      resolve: ({ doi }) => doiOrNull(doi),
    }),
    text: t.exposeString('text', {
      nullable: true,
      description:
        'The reference in words, as deposited. If only its parts were deposited, the parts, separated by commas. Null if there is only a DOI.',
    }),
    title: t.exposeString('title', {
      nullable: true,
      description: absent('The title of the cited work, as plain text.'),
    }),
    author: t.exposeString('author', {
      nullable: true,
      description: absent('The author, mostly only the first: `Carberry`.'),
    }),
    year: t.exposeInt('year', { nullable: true, description: absent('The year of publication: `2008`.') }),
    containerTitle: t.exposeString('containerTitle', {
      nullable: true,
      description: absent('The journal, book or series: `Nature`.'),
    }),
    volume: t.exposeString('volume', { nullable: true, description: absent('The volume: `12`.') }),
    page: t.exposeString('page', { nullable: true, description: absent('The first page: `115`.') }),
    assertedBy: t.exposeString('assertedBy', {
      nullable: true,
      description:
        'Who found the DOI, in the agency’s words: `publisher`, `crossref`, `DataCite`. Null without a DOI, or if the agency does not say.',
    }),
  }),
});

builder.objectField(DoiType, 'references', (t) =>
  t.field({
    type: [DoiReferenceType],
    ...METADATA_FIELD,
    description:
      'What the work cites, in its order: `references { text doi { name updates { outcome } } }`. The gateway sends a separate request for it to the agency. The cost of the operation grows with each reference. At most 2,000 references. Null without an error if the agency has no metadata or gives no list. Empty if the list is empty.',
    resolve: ({ name }, _args, { loaders }) =>
      mapSoon(loaders.metadata(name, REFERENCES), ({ content }) => {
        const entries = typeof content === 'object' && content !== null ? referenceEntries(content) : null;
        return entries && readEach(entries);
      }),
  }),
);

/** A generator, so that the executor charges each reference before its fields, and reads a long list in several turns. */
function* readEach(entries: readonly unknown[]): Generator<DepositedReference, void> {
  for (const entry of entries) yield referenceOf(members(entry));
}
