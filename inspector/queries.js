// Every GraphQL document that the page sends. The server reads this module too, so nothing here needs a browser.

import {
  BIBTEX,
  CITATION,
  LIST_BIBTEX,
  LIST_TITLES,
  MATCHES,
  REFERENCES,
  RIS,
  WORK,
} from './work-queries.js';

const MATCH_FIELDS = 'text start end repaired doi { id name canonicalName url }';
const CHARACTER_FIELDS = 'character codePoint name imitates';

/** Fields that are computed from the input. They never fail for a name. */
export const NAME = `# What was pasted, and every form of the name in it.
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
}`;

/** The DOI names in a text, without look-ups. */
export const FIND = `# The DOI names in a text.
query InspectText($text: String!) {
  findDois(text: $text) { ${MATCH_FIELDS} }
  doiDirectory { kind description }
}`;

/** The fields of each name in a list. */
export const LIST = `# What the directory knows of several names.
query InspectList($inputs: [String!]!) {
  dois(inputs: $inputs) {
    id
    exists
    registrationAgency { name title }
    redirect { url }
    warnings { code }
  }
}`;

export const SHORT_DOI = `# Which DOI name a shortDOI stands for.
query InspectShortDoi($input: String!) {
  shortDoi(input: $input) {
    doi { id name }
  }
}`;

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

/** The look-ups of a name, and its redirect. Each field can fail alone. */
export const DIRECTORY = `# What the directory knows of the name.
query InspectDirectory($input: String!, $parameters: RedirectInput) {
  named: doi(input: $input) {
    id
    ${RECORD_FIELDS}
    registrationAgency { name title homepageUrl documented }
    whichRa { status message }
    suggestions { id name }
  }
}`;

/** The redirect for another reader. */
export const REDIRECT = `# Where the name leads for another reader.
query InspectRedirect($input: String!, $parameters: RedirectInput) {
  named: doi(input: $input) {
    id
    redirect(parameters: $parameters) {
      ${REDIRECT_FIELDS}
    }
  }
}`;

/** A handle that is not a DOI name. Null with an error if the input is not a handle. */
export const HANDLE = `# The parts of a handle, and how it is written.
query InspectHandle($input: String!) {
  handle(name: $input) { id: uri name prefix suffix url }
}`;

const HANDLE_DIRECTORY = `# What the directory knows of the handle.
query InspectHandleDirectory($input: String!, $parameters: RedirectInput) {
  named: handle(name: $input) {
    id: uri
    ${RECORD_FIELDS}
  }
}`;

const HANDLE_REDIRECT = `# Where the handle leads for another reader.
query InspectHandleRedirect($input: String!, $parameters: RedirectInput) {
  named: handle(name: $input) {
    id: uri
    redirect(parameters: $parameters) {
      ${REDIRECT_FIELDS}
    }
  }
}`;

/** The query for a DOI, or for another handle. @param {string} id of either, a URI */
export function lookUpsOf(id) {
  return id.startsWith('doi:')
    ? { directory: DIRECTORY, redirect: REDIRECT }
    : { directory: HANDLE_DIRECTORY, redirect: HANDLE_REDIRECT };
}

const SIDE_FIELDS = `doi { id name characters @include(if: $closely) { ${CHARACTER_FIELDS} } }
      problem { code message position }`;

/** How two inputs relate, without look-ups. */
export const COMPARE = `# How two inputs relate as DOI names.
query InspectTwo($a: String!, $b: String!, $closely: Boolean! = false) {
  doiEquivalence(a: $a, b: $b) {
    relation
    equivalent
    equivalentInNiso2000
    explanation
    a { ${SIDE_FIELDS} }
    b { ${SIDE_FIELDS} }
  }
}`;

/** Whether two names lead to one handle. This needs look-ups. */
export const ALIAS_TARGETS = `# Whether two names lead to one handle.
query InspectTwoAliases($a: String!, $b: String!) {
  doiEquivalence(a: $a, b: $b) {
    sameAliasTarget
    a { doi { name exists } }
    b { doi { name exists } }
  }
  doiDirectory { kind }
}`;

export const DOCUMENTS = Object.freeze([
  NAME,
  FIND,
  LIST,
  LIST_TITLES,
  LIST_BIBTEX,
  SHORT_DOI,
  DIRECTORY,
  REDIRECT,
  HANDLE,
  HANDLE_DIRECTORY,
  HANDLE_REDIRECT,
  COMPARE,
  ALIAS_TARGETS,
  WORK,
  REFERENCES,
  MATCHES,
  CITATION,
  BIBTEX,
  RIS,
]);
