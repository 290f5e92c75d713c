// The fields of DOIMetadata for people, dates, abstract and event.

import { remember } from '../../handle/json.ts';
import { abstractText } from '../../works/abstract-text.ts';
import type { Affiliation } from '../../works/affiliations.ts';
import { type Contributor, type ContributorRole, readContributors } from '../../works/contributors.ts';
import type { Creator } from '../../works/creators.ts';
import { type CslItem, readPlainText } from '../../works/work.ts';
import type { DateKind, WorkDate } from '../../works/work-dates.ts';
import { builder, describedEnum } from '../builder.ts';
import {
  CreatorType,
  type DescribedWork,
  DoiMetadataType,
  optional,
  PartialDateType,
} from './doi-metadata.ts';
import { detailsOf } from './work-details.ts';

// One operation can select a field under a thousand aliases, so each reading is kept with the answer.
const abstractOfCsl = remember(({ abstract }: CslItem) => abstractText(abstract));
const contributorsByCsl = new WeakMap<CslItem, readonly Contributor[]>();

/** The same list for each call with the same `csl`. */
export function contributorsOf(work: DescribedWork): readonly Contributor[] {
  const { csl } = work;
  const contributors = contributorsByCsl.get(csl) ?? readContributors(csl, detailsOf(work).contributors);
  contributorsByCsl.set(csl, contributors);
  return contributors;
}

const ContributorRoleEnum = describedEnum<ContributorRole>(
  'ContributorRole',
  'What a person or an organization did for a work. `roleType` has the agency’s own word.',
  {
    AUTHOR: 'An author or another creator.',
    EDITOR: 'An editor, also of a series.',
    TRANSLATOR: 'A translator.',
    CHAIR: 'The chair of a conference.',
    REVIEWER: 'A reviewer.',
    CONTACT_PERSON: 'The person to contact about the work.',
    DATA_COLLECTOR: 'Collected the data.',
    DATA_CURATOR: 'Prepared the data for use.',
    DATA_MANAGER: 'Keeps the data.',
    DISTRIBUTOR: 'Distributes the work.',
    FUNDER: 'Paid for the work. `funding` has the awards.',
    HOSTING_INSTITUTION: 'The institution that keeps the work.',
    PRODUCER: 'A producer.',
    PROJECT_LEADER: 'The leader of the project.',
    PROJECT_MEMBER: 'A member of the project.',
    RESEARCHER: 'A researcher.',
    RESEARCH_GROUP: 'A group of researchers.',
    RIGHTS_HOLDER: 'Has the rights to the work.',
    SPONSOR: 'Supported the work.',
    SUPERVISOR: 'Supervised the work, such as a thesis.',
    OTHER: 'Another role, or an unknown role: read `roleType`.',
  },
);

const AffiliationType = builder.objectRef<Affiliation>('DOIAffiliation').implement({
  description: 'An organization to which a person belonged, as the work names it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name: `Wesleyan University, Middletown`.' }),
    ror: t.exposeString('ror', {
      nullable: true,
      description: optional('The ROR identifier as an address: `https://ror.org/05h7xva58`.'),
    }),
  }),
});

builder.objectFields(CreatorType, (t) => ({
  isOrganization: t.exposeBoolean('isOrganization', {
    description:
      'Whether the creator is an organization: the agency says so, or gives neither given nor family names.',
  }),
  ror: t.exposeString('ror', {
    nullable: true,
    description: optional('The ROR identifier of an organization: `https://ror.org/05h7xva58`.'),
  }),
  affiliations: t.field({
    type: [AffiliationType],
    description: 'The affiliations: `affiliations { name ror }`. Empty if the agency gives none.',
    resolve: (creator: Creator) => creator.affiliations,
  }),
}));

const ContributorType = builder.objectRef<Contributor>('DOIContributor').implement({
  description: 'A person or an organization that the metadata of a work names, with the role.',
  fields: (t) => ({
    role: t.expose('role', {
      type: ContributorRoleEnum,
      description: 'The role, in the same words for all agencies: DATA_COLLECTOR.',
    }),
    roleType: t.exposeString('roleType', {
      description: "The agency's own word: `author`, `DataCollector`.",
    }),
    name: t.exposeString('name', { description: 'The whole name in spoken order: `Josiah Carberry`.' }),
    given: t.exposeString('given', {
      nullable: true,
      description: optional('Given names: `Josiah`.'),
    }),
    family: t.exposeString('family', {
      nullable: true,
      description: optional('The family name with its particle: `van Beethoven`.'),
    }),
    orcid: t.exposeString('orcid', {
      nullable: true,
      description: optional('The ORCID iD: `0000-0002-1825-0097`.'),
    }),
    isOrganization: t.exposeBoolean('isOrganization', {
      description:
        'Whether this is an organization: the agency says so, or gives neither given nor family names.',
    }),
    ror: t.exposeString('ror', {
      nullable: true,
      description: optional('The ROR identifier of an organization: `https://ror.org/05h7xva58`.'),
    }),
    affiliations: t.field({
      type: [AffiliationType],
      description: 'The affiliations. Empty if the agency gives none.',
      resolve: (contributor) => contributor.affiliations,
    }),
  }),
});

const DateKindEnum = describedEnum<DateKind>(
  'DateKind',
  'What happened on a date of a work. `type` has the agency’s own word.',
  {
    ISSUED: 'The publication, as citations have it.',
    PUBLISHED: 'The first publication, in print or online.',
    PUBLISHED_ONLINE: 'The publication online.',
    PUBLISHED_PRINT: 'The publication in print.',
    POSTED: 'The publication of a preprint or another posted work.',
    ACCEPTED: 'The acceptance by the publisher.',
    SUBMITTED: 'The submission to the publisher.',
    AVAILABLE: 'The work became available.',
    COLLECTED: 'The collection of the data.',
    COPYRIGHTED: 'The start of the copyright.',
    COVERAGE: 'The time that the content of the work is about.',
    CREATED: 'The work itself was made.',
    UPDATED: 'The last change of the work.',
    VALID: 'The time in which the work is valid.',
    WITHDRAWN: 'The withdrawal of the work.',
    APPROVED: 'The approval, such as of a thesis or a standard.',
    OTHER: 'Another date: read `type`.',
  },
);

const DateType = builder.objectRef<WorkDate>('DOIDate').implement({
  description: 'A date of a work, or a range of dates.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: DateKindEnum,
      description: 'What happened on the date, in the same words for all agencies: PUBLISHED_ONLINE.',
    }),
    type: t.exposeString('type', {
      description: "The agency's own word: `published-online`, `Collected`.",
    }),
    start: t.expose('start', {
      type: PartialDateType,
      description: 'The date, or the start of the range: `start { text }` is `2001-05`.',
    }),
    end: t.expose('end', {
      type: PartialDateType,
      nullable: true,
      description: 'The end of a range: `end { text }` is `2003`. Null for a date and for an open range.',
    }),
  }),
});

builder.objectFields(DoiMetadataType, (t) => ({
  abstract: t.string({
    nullable: true,
    description: optional(
      'The abstract as plain text, at most 20,000 characters. An empty line separates paragraphs.',
    ),
    resolve: ({ csl, history }) => {
      const { abstract } = csl;
      return history?.details && typeof abstract === 'string' ? abstract : abstractOfCsl(csl);
    },
  }),
  contributors: t.field({
    type: [ContributorType],
    description:
      'Everyone whom the agency names, in its order, creators first: `contributors { role name }`. At most 2,000.',
    resolve: contributorsOf,
  }),
  dates: t.field({
    type: [DateType],
    description: 'The dates: `dates { kind start { text } }`. Empty if the agency gives none.',
    resolve: (work) => detailsOf(work).dates,
  }),
  event: t.string({
    nullable: true,
    description: optional('The event, such as the conference: `2021 American Control Conference (ACC)`.'),
    resolve: ({ csl }) => readPlainText(csl['event-title']) ?? readPlainText(csl['event']),
  }),
}));
