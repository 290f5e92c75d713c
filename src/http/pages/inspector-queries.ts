// Every GraphQL document that the inspector sends, by the name of its operation. The gateway knows these documents, so that
// they also run with PERSISTED_ONLY. After a change, run `npm run tables`: it writes the types of the responses.

import { WORK_QUERIES } from './inspector-work-queries.ts';

const MATCH_FIELDS = 'text start end repaired doi { id name canonicalName url }';
const CHARACTER_FIELDS = 'character codePoint name imitates';

const REDIRECT_FIELDS = `url
      chosenBy
      statusCode
      via
      location { localId href weight country }
      candidates { localId href weight country }
      warnings { code message }`;

const RECORD_FIELDS = `record {
      handle
      status
      message
      responseCode
      fetchedAt
      freshUntil
      stale
      values {
        index
        type
        ttl
        expiresAt
        timestamp
        permissions
        references { handle index }
        data {
          __typename
          format
          ... on HandleStringData { value }
          ... on HandleAdminData { handle index permissions grants legacyByteLength }
          ... on HandleBinaryData { base64 hex byteLength text }
          ... on HandleValueListData { references { handle index } }
          ... on HandleSiteData { site }
          ... on HandleKeyData { key }
          ... on HandleOtherData { other }
        }
      }
    }
    locations { localId href weight country label httpRole attributes { name value } }
    alias { handle doi { id } }
    redirect(parameters: $parameters) {
      ${REDIRECT_FIELDS}
    }`;

const SIDE_FIELDS = `doi { id name characters @include(if: $closely) { ${CHARACTER_FIELDS} } }
      problem { code message position }`;

export const INSPECTOR_QUERIES = {
  /** Fields that are computed from the input. They never fail for a name. */
  InspectName: `# What was pasted, and every form of the name in it.
query InspectName($input: String!, $closely: Boolean! = false) {
  parseDoi(input: $input) {
    form
    fragment
    proxyParameters { name value }
    problem { code message position looksLike }
    meant { ${MATCH_FIELDS} }
    doi {
      id
      name
      canonicalName
      prefix
      suffix
      directoryIndicator
      registrantCode
      encodings { form label value sourceDocument }
      warnings { code message position repaired { id name } }
      characters @include(if: $closely) { ${CHARACTER_FIELDS} }
    }
  }
  doiDirectory { kind description }
}`,

  /** The DOI names in a text, without look-ups. */
  InspectText: `# The DOI names in a text.
query InspectText($text: String!) {
  findDois(text: $text) { ${MATCH_FIELDS} }
  doiDirectory { kind description }
}`,

  /** The fields of each name in a list. */
  InspectList: `# What the directory knows of several names.
query InspectList($inputs: [String!]!) {
  dois(inputs: $inputs) {
    id
    exists
    registrationAgency { name title }
    redirect { url }
    warnings { code }
  }
}`,

  InspectShortDoi: `# Which DOI name a shortDOI stands for.
query InspectShortDoi($input: String!) {
  shortDoi(input: $input) {
    doi { id name }
  }
}`,

  /** The look-ups of a name, and its redirect. Each field can fail alone. */
  InspectDirectory: `# What the directory knows of the name.
query InspectDirectory($input: String!, $parameters: RedirectInput) {
  named: doi(input: $input) {
    id
    ${RECORD_FIELDS}
    registrationAgency { name title homepageUrl documented }
    whichRa { status message }
    suggestions { id name }
  }
}`,

  /** The redirect for another reader. */
  InspectRedirect: `# Where the name leads for another reader.
query InspectRedirect($input: String!, $parameters: RedirectInput) {
  named: doi(input: $input) {
    id
    redirect(parameters: $parameters) {
      ${REDIRECT_FIELDS}
    }
  }
}`,

  /** A handle that is not a DOI name. Null with an error if the input is not a handle. */
  InspectHandle: `# The parts of a handle, and how it is written.
query InspectHandle($input: String!) {
  handle(name: $input) { id: uri name prefix suffix url }
}`,

  InspectHandleDirectory: `# What the directory knows of the handle.
query InspectHandleDirectory($input: String!, $parameters: RedirectInput) {
  named: handle(name: $input) {
    id: uri
    ${RECORD_FIELDS}
  }
}`,

  InspectHandleRedirect: `# Where the handle leads for another reader.
query InspectHandleRedirect($input: String!, $parameters: RedirectInput) {
  named: handle(name: $input) {
    id: uri
    redirect(parameters: $parameters) {
      ${REDIRECT_FIELDS}
    }
  }
}`,

  /** How two inputs relate, without look-ups. */
  InspectTwo: `# How two inputs relate as DOI names.
query InspectTwo($a: String!, $b: String!, $closely: Boolean! = false) {
  doiEquivalence(a: $a, b: $b) {
    relation
    equivalent
    equivalentInNiso2000
    explanation
    a { ${SIDE_FIELDS} }
    b { ${SIDE_FIELDS} }
  }
}`,

  /** Whether two names lead to one handle. This needs look-ups. */
  InspectTwoAliases: `# Whether two names lead to one handle.
query InspectTwoAliases($a: String!, $b: String!) {
  doiEquivalence(a: $a, b: $b) {
    sameAliasTarget
    a { doi { name exists } }
    b { doi { name exists } }
  }
  doiDirectory { kind }
}`,

  ...WORK_QUERIES,
} as const;
