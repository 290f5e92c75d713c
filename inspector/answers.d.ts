// The data of the responses to the documents of queries.js.

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly position: number | null;
}

export interface Encoding {
  readonly form: string;
  readonly label: string;
  readonly value: string;
  readonly sourceDocument: string;
}

export interface NamedDoi {
  readonly id: string;
  readonly name: string;
}

export interface NameProblem extends Problem {
  /** the kind of identifier that the input resembles */
  readonly looksLike: string | null;
}

export interface Warning extends Problem {
  readonly repaired: NamedDoi | null;
}

export interface Character {
  readonly character: string;
  readonly codePoint: string;
  readonly name: string | null;
  readonly imitates: string | null;
}

/** A DOI name and the fields that are computed from it. */
export interface ReadName extends NamedDoi {
  readonly canonicalName: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly directoryIndicator: string;
  readonly registrantCode: string;
  readonly warnings: readonly Warning[];
  /** missing if the document does not select the characters */
  readonly characters?: readonly Character[];
}

export interface Doi extends ReadName {
  readonly encodings: readonly Encoding[];
}

/** A handle that is no DOI name. */
export interface Handle extends NamedDoi {
  readonly prefix: string;
  readonly suffix: string;
  readonly url: string;
}

/** A name that the directory can look up. `id` is a URI with the scheme `doi` or `hdl`. */
export type Named = Doi | Handle;

export interface HandleAnswer {
  readonly handle: Handle | null;
}

/** The parameters of a link to a proxy. */
export type Parameters = readonly { readonly name: string; readonly value: string | null }[];

export interface RedirectInput {
  readonly locatt?: readonly string[];
  readonly country?: string;
  readonly urlAppend?: string;
  readonly ignoreAliases?: boolean;
  readonly types?: readonly string[];
  readonly indexes?: readonly number[];
}

/** A DOI name in a text, with its offsets. */
export interface Match {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly repaired: boolean;
  readonly doi: NamedDoi & { readonly canonicalName: string; readonly url: string };
}

/** The fields of a parsed input, without the name. */
interface Reading {
  readonly form: string | null;
  readonly fragment: string | null;
  readonly proxyParameters: Parameters;
  readonly problem: NameProblem | null;
}

export interface ParsedDoi extends Reading {
  readonly meant: readonly Match[];
  readonly doi: Doi | null;
}

/** Like `ParsedDoi`, but parsed in the page before the gateway responds. */
export interface ReadAtOnce extends Reading {
  readonly meant: readonly { readonly doi: NamedDoi }[];
  readonly doi: ReadName | null;
}

export interface Directory {
  readonly kind: string;
  readonly description: string;
}

export interface NameAnswer {
  readonly parseDoi: ParsedDoi;
  readonly doiDirectory: Directory;
}

export interface TextAnswer {
  /** null at the end: the text has more names than one request may find */
  readonly findDois: readonly (Match | null)[];
  readonly doiDirectory: Directory;
}

export interface ListedDoi {
  readonly id: string;
  readonly exists: boolean | null;
  readonly registrationAgency: { readonly name: string; readonly title: string | null } | null;
  readonly redirect: { readonly url: string | null } | null;
  readonly warnings: readonly { readonly code: string }[];
}

export interface ListAnswer {
  readonly dois: readonly (ListedDoi | null)[];
}

export interface ShortDoiAnswer {
  readonly shortDoi: { readonly doi: NamedDoi | null } | null;
}

export interface Reference {
  readonly handle: string;
  readonly index: number;
}

/** The data of a value. Each format has only some of the members. */
export interface ValueData {
  readonly __typename: string;
  readonly format: string;
  readonly value?: string;
  readonly handle?: string;
  readonly index?: number;
  readonly permissions?: string;
  readonly grants?: readonly string[];
  readonly legacyByteLength?: boolean;
  readonly base64?: string;
  readonly hex?: string;
  readonly byteLength?: number;
  readonly text?: string | null;
  readonly references?: readonly Reference[];
  readonly site?: unknown;
  readonly key?: unknown;
  readonly other?: unknown;
}

export interface RecordValue {
  readonly index: number;
  readonly type: string;
  readonly ttl: number | null;
  readonly expiresAt: string | null;
  readonly timestamp: string | null;
  readonly permissions: string | null;
  readonly references: readonly Reference[];
  readonly data: ValueData;
}

export interface HandleRecord {
  readonly handle: string;
  readonly status: string;
  readonly message: string | null;
  readonly responseCode: number;
  readonly fetchedAt: string;
  readonly freshUntil: string;
  readonly stale: boolean;
  readonly values: readonly RecordValue[];
}

export interface Candidate {
  readonly localId: string | null;
  readonly href: string;
  readonly weight: number;
  readonly country: string | null;
}

export interface Location extends Candidate {
  readonly label: string | null;
  readonly httpRole: string | null;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

export interface Redirect {
  readonly url: string | null;
  readonly chosenBy: string;
  readonly statusCode: number | null;
  readonly via: readonly string[];
  readonly location: Candidate | null;
  readonly candidates: readonly Candidate[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

export interface Agency {
  readonly name: string;
  readonly title: string | null;
  readonly homepageUrl: string | null;
  readonly documented: boolean;
}

/** Handles that are no DOI names have no agency and no suggestions. */
export interface DirectoryDoi {
  readonly id: string;
  readonly record: HandleRecord | null;
  readonly registrationAgency?: Agency | null;
  readonly whichRa?: { readonly status: string; readonly message: string | null } | null;
  readonly locations: readonly Location[] | null;
  readonly alias: { readonly handle: string; readonly doi: { readonly id: string } | null } | null;
  readonly redirect: Redirect | null;
  readonly suggestions?: readonly NamedDoi[] | null;
}

export interface DirectoryAnswer {
  readonly named: DirectoryDoi | null;
}

export interface RedirectAnswer {
  readonly named: { readonly id: string; readonly redirect: Redirect | null } | null;
}

export interface ComparedSide {
  readonly doi: (NamedDoi & { readonly characters?: readonly Character[] }) | null;
  readonly problem: Problem | null;
}

export interface CompareAnswer {
  readonly doiEquivalence: {
    readonly relation: string;
    readonly equivalent: boolean | null;
    readonly equivalentInNiso2000: boolean | null;
    readonly explanation: string;
    readonly a: ComparedSide;
    readonly b: ComparedSide;
  };
}

export interface FollowedSide {
  readonly doi: { readonly name: string; readonly exists: boolean | null } | null;
}

export interface AliasTargetsAnswer {
  readonly doiEquivalence: {
    readonly sameAliasTarget: boolean | null;
    readonly a: FollowedSide;
    readonly b: FollowedSide;
  };
  readonly doiDirectory: Pick<Directory, 'kind'>;
}

export interface AnswerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    readonly retryable?: boolean;
    readonly retryAfterSeconds?: number;
  };
}
