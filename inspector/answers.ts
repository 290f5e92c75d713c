// Names for the parts of responses that several files of the page use. The types come from schema.graphql.

import type { Operations } from './query-types.ts';

export type { RedirectInput } from './query-types.ts';

type Data<Name extends keyof Operations> = Operations[Name]['data'];
type Item<List> = List extends readonly (infer Member)[] ? NonNullable<Member> : never;

export type Directory = NonNullable<Data<'InspectName'>['doiDirectory']>;
export type ParsedDoi = NonNullable<Data<'InspectName'>['parseDoi']>;
/** A DOI name in a text, with its offsets. */
export type Match = Item<ParsedDoi['meant']>;
export type Doi = NonNullable<ParsedDoi['doi']>;
export type NamedDoi = Pick<Doi, 'id' | 'name'>;
export type Encoding = Item<Doi['encodings']>;
export type Warning = Item<Doi['warnings']>;
export type Character = Item<Doi['characters']>;
/** The parameters of a link to a proxy. */
export type Parameters = ParsedDoi['proxyParameters'];
/** `looksLike` is the kind of identifier that the input resembles. */
export type NameProblem = NonNullable<ParsedDoi['problem']>;
export type Problem = Omit<NameProblem, 'looksLike'>;

/** A DOI name and the fields that are computed from it. */
export type ReadName = Omit<Doi, 'encodings'>;

/** Like `ParsedDoi`, but parsed in the page before the gateway responds. */
export interface ReadAtOnce extends Omit<ParsedDoi, 'meant' | 'doi'> {
  readonly meant: readonly { readonly doi: NamedDoi }[];
  readonly doi: ReadName | null;
}

/** A handle that is no DOI name. */
export type Handle = NonNullable<Data<'InspectHandle'>['handle']>;
/** A name that the directory can look up. `id` is a URI with the scheme `doi` or `hdl`. */
export type Named = Doi | Handle;

type KnownHandle = NonNullable<Data<'InspectHandleDirectory'>['named']>;
type KnownDoi = NonNullable<Data<'InspectDirectory'>['named']>;
/** Handles that are no DOI names have no agency and no suggestions. */
export type DirectoryDoi = KnownHandle & Partial<KnownDoi>;
export type Agency = NonNullable<KnownDoi['registrationAgency']>;
export type HandleRecord = NonNullable<KnownDoi['record']>;
export type RecordValue = Item<HandleRecord['values']>;
export type ValueData = RecordValue['data'];
/** The place of a value in a record. */
export type ValueReference = Item<RecordValue['references']>;
export type Location = Item<KnownDoi['locations']>;
export type Redirect = NonNullable<KnownDoi['redirect']>;
export type Candidate = Item<Redirect['candidates']>;

export type ListedDoi = Item<Data<'InspectList'>['dois']>;

export type Comparison = NonNullable<Data<'InspectTwo'>['doiEquivalence']>;
export type ComparedSide = Comparison['a'];
export type AliasTargets = Data<'InspectTwoAliases'>;

/** A work with its updates and its relations to other works. */
export type DescribedWork = NonNullable<Data<'InspectWork'>['doi']>;
export type Work = NonNullable<DescribedWork['metadata']>;
export type Creator = Item<Work['creators']>;
export type License = Item<Work['licenses']>;
export type Funding = Item<Work['funding']>;
export type Updates = NonNullable<DescribedWork['updates']>;
export type UpdatesOutcome = Pick<Updates, 'outcome' | 'source'>;
export type Update = Item<Updates['notices']>;
/** What this work says of another work, as its notice. */
export type NoticedWork = Item<Updates['noticeOf']>;
export type Relation = Item<DescribedWork['relations']>;

/** A work in the list of references of another work. */
export type CitedReference = Item<NonNullable<Data<'InspectReferences'>['doi']>['references']>;
export type ListedWork = Omit<Item<Data<'InspectListTitles'>['dois']>, 'id'>;

export type ReferenceMatch = Item<Data<'InspectMatches'>['matchReferences']>;
export type Evidence = Item<ReferenceMatch['evidence']>;

export interface AnswerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    readonly retryable?: boolean;
    readonly retryAfterSeconds?: number;
  };
}
