// The queries matchReference and matchReferences: the work that a reference in words describes, with the evidence.

import type { ReferenceMatch } from '../../cache/matched-references.ts';
import type { MetadataAnswer } from '../../directory/directory.ts';
import { GatewayError } from '../../errors.ts';
import type { Loaders } from '../../loaders/loaders.ts';
import { mapSoon, type Soon } from '../../time.ts';
import type { DetailEvidence, ReferenceDetail } from '../../works/matching/compare-details.ts';
import type { JudgedCandidate, ReferenceOutcome } from '../../works/matching/match-reference.ts';
import type { DetailVerdict } from '../../works/matching/number-evidence.ts';
import {
  MAX_CHARACTERS,
  MAX_REFERENCE_CHARACTERS,
  MAX_REFERENCES_AT_ONCE,
} from '../../works/matching/reference-words.ts';
import { withoutLabel } from '../../works/matching/search-queries.ts';
import { builder, describedEnum } from '../builder.ts';
import { DoiType, doiOf } from '../doi/doi.ts';
import { NEEDS_LOOK_UP } from '../federation/federation-directives.ts';
import { type FieldPrice, LOOK_UP_COST, oncePerList, priced, priceOfInputs } from '../field-price.ts';

type MatchedReference = ReferenceMatch & { readonly reference: string };

const ReferenceOutcomeEnum = describedEnum<ReferenceOutcome>(
  'ReferenceOutcome',
  'Whether a work was found that a reference in words describes.',
  {
    FOUND: 'One work, and no detail of the reference contradicts it.',
    DIFFERS: 'One work, but details contradict it: show them to the reader.',
    SEVERAL: 'Several works fit equally: they are the candidates.',
    NOT_FOUND:
      'The searched services have no work that fits. This does not mean that there is none: they do not have all books, reports and theses.',
  },
);

const ReferenceDetailEnum = describedEnum<ReferenceDetail>('ReferenceDetail', 'A detail of a reference.', {
  DOI: 'The DOI that the reference states.',
  TITLE: 'The title, perhaps without its subtitle, or translated.',
  AUTHORS: 'The family names of the authors, in their order.',
  CONTAINER: 'The journal, book or series, perhaps abbreviated.',
  YEAR: 'The year. It agrees if it differs by one: online and print.',
  VOLUME: 'The volume.',
  ISSUE: 'The issue.',
  PAGE: 'The first page, or the article number.',
});

const DetailVerdictEnum = describedEnum<DetailVerdict>(
  'DetailVerdict',
  'Whether a detail of a reference is the detail of the work.',
  {
    AGREES: 'The reference states the same as the metadata of the work.',
    DIFFERS: 'The reference states something else.',
    NOT_STATED: 'The reference or the metadata does not have the detail.',
  },
);

const ReferenceEvidenceType = builder.objectRef<DetailEvidence>('ReferenceEvidence').implement({
  description: 'One detail of a reference, compared with a work.',
  fields: (t) => ({
    detail: t.expose('detail', { type: ReferenceDetailEnum, description: 'Which detail.' }),
    verdict: t.expose('verdict', {
      type: DetailVerdictEnum,
      description: 'Whether the reference states the same as the work.',
    }),
    inReference: t.exposeString('inReference', {
      nullable: true,
      description: 'As the reference states it. Null if it does not.',
    }),
    inWork: t.exposeString('inWork', {
      nullable: true,
      description: 'As the metadata of the work states it. Null if it does not.',
    }),
  }),
});

const EVIDENCE = 'The compared details: DOI, title, authors, container, year, volume, issue and page.';

const ReferenceCandidateType = builder.objectRef<JudgedCandidate>('ReferenceCandidate').implement({
  description: 'A work that was compared with a reference.',
  fields: (t) => ({
    doi: t.field({
      type: DoiType,
      description: 'The work that was compared.',
      resolve: ({ doi }) => doiOf(doi),
    }),
    evidence: t.expose('evidence', { type: [ReferenceEvidenceType], description: EVIDENCE }),
  }),
});

const ReferenceMatchType = builder.objectRef<MatchedReference>('ReferenceMatch').implement({
  description: 'The work that a reference in words describes, with the evidence.',
  fields: (t) => ({
    reference: t.exposeString('reference', { description: 'The reference, as the client sent it.' }),
    outcome: t.expose('outcome', {
      type: ReferenceOutcomeEnum,
      description: 'Whether a work was found. A search that fails is an error, never NOT_FOUND.',
    }),
    doi: t.field({
      type: DoiType,
      nullable: true,
      description: 'The work. Null if the outcome is SEVERAL or NOT_FOUND.',
      resolve: ({ work }) => work && doiOf(work.doi),
    }),
    evidence: t.field({
      type: [ReferenceEvidenceType],
      description: `${EVIDENCE} Empty if \`doi\` is null.`,
      resolve: ({ work }) => work?.evidence ?? [],
    }),
    candidates: t.expose('candidates', {
      type: [ReferenceCandidateType],
      description: 'Other works that were compared, at most five, the best first.',
    }),
    sources: t.exposeStringList('sources', {
      description:
        'The agencies that were searched: `["Crossref", "DataCite"]`. DataCite is searched only if Crossref has no work that fits.',
    }),
  }),
});

/** Each reference costs as much as an input and a look-up. */
const priceOfReferences = oncePerList((references: readonly string[]): FieldPrice => {
  const { field, multiplier } = priceOfInputs(references);
  return { field: field + LOOK_UP_COST * references.length, multiplier };
});

function match(reference: string, loaders: Loaders): Soon<MatchedReference> {
  if (reference.length > MAX_REFERENCE_CHARACTERS) {
    throw new GatewayError('LIMIT_EXCEEDED', {
      message: `A reference has at most ${MAX_REFERENCE_CHARACTERS} characters, and this text has ${reference.length}. Send each reference of a list for itself.`,
    });
  }
  // Two references that differ only in their numbers and spaces are searched once.
  const words = withoutLabel(reference).replace(/\s+/gu, ' ').trim().toWellFormed().slice(0, MAX_CHARACTERS);
  if (!/[\p{L}\p{N}]/u.test(words)) {
    throw new GatewayError('BAD_USER_INPUT', {
      message: 'The reference has no words. Send a reference as it stands in a list of references.',
    });
  }
  return mapSoon(loaders.match(words), ({ content }: MetadataAnswer) => ({
    ...(content as unknown as ReferenceMatch),
    reference,
  }));
}

builder.queryFields((t) => ({
  matchReference: t.field({
    type: ReferenceMatchType,
    nullable: true,
    directives: NEEDS_LOOK_UP,
    description:
      'The work that a reference in words describes, with what agrees and what differs. The gateway searches at Crossref, then at DataCite, and compares each work that they find detail by detail. Null only with an error.',
    args: {
      reference: t.arg.string({
        required: true,
        description: 'One reference, as it stands in a list: in any style, with or without a DOI.',
      }),
    },
    ...priced(({ reference }: { readonly reference: string }) => priceOfReferences([reference])),
    resolve: (_root, { reference }, { loaders }) => match(reference, loaders),
  }),
  matchReferences: t.field({
    type: [ReferenceMatchType],
    nullable: { list: true, items: true },
    directives: NEEDS_LOOK_UP,
    description: `The work of each reference, in the order of the references and with duplicates. A failed search is null, with an error at its own path. At most ${MAX_REFERENCES_AT_ONCE} references: each further one is LIMIT_EXCEEDED. Agencies allow few searches per second, so those that do not fit in the time fail with GATEWAY_BUSY: send them again, and the gateway continues from its cache.`,
    args: {
      references: t.arg.stringList({
        required: true,
        description: `References, as in \`matchReference\`. At most ${MAX_REFERENCES_AT_ONCE}.`,
      }),
    },
    ...priced(({ references }: { readonly references: readonly string[] }) => priceOfReferences(references)),
    // A generator, so that the executor can pause between two references.
    *resolve(_root, { references }, { loaders }) {
      for (const [at, reference] of references.entries())
        yield matchOrError(reference, at, loaders) as Soon<MatchedReference>;
    },
  }),
}));

function matchOrError(
  reference: string,
  at: number,
  loaders: Loaders,
): Soon<MatchedReference> | GatewayError {
  if (at >= MAX_REFERENCES_AT_ONCE) {
    return new GatewayError('LIMIT_EXCEEDED', {
      message: `At most ${MAX_REFERENCES_AT_ONCE} references in one operation. Send the others in the next operation.`,
    });
  }
  try {
    const matched = match(reference, loaders);
    // At the deadline, the executor ends the list and does not wait for its items any more.
    if (matched instanceof Promise) matched.catch(() => {});
    return matched;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
