// The GraphQL documents of the tools. A gateway that executes only known documents needs this exact text.

import { LICENSES } from '../gateway-client/look-up-cards.ts';
import { LOOK_UP_DOCUMENTS } from '../gateway-client/look-up-names.ts';
import { UPDATED_WORK, WORK_DOCUMENTS } from '../gateway-client/look-up-works.ts';
import { MATCH_REFERENCES } from '../gateway-client/match-references.ts';

export const RESOLVE_DOI = `query ResolveDoi($input: String!) {
  doi(input: $input) {
    url
    exists
    alias { handle }
    redirect { url }
    suggestions { name }
    registrationAgency { name title }
    metadata { ${LICENSES} }
    ${UPDATED_WORK}
  }
}`;

/** A citation is a separate request, and each suggestion is a look-up. Lists of many DOIs have neither by default. */
export const DESCRIBE_DOIS = `query DescribeDois($dois: [String!]!, $suggestions: Boolean!, $citation: Boolean!, $style: String!, $bibtex: Boolean!) {
  dois(inputs: $dois) {
    exists
    alias { handle }
    redirect { url }
    suggestions @include(if: $suggestions) { name }
    metadata {
      title
      subtitle
      contributors { name role }
      issued { year }
      containerTitle
      kind
      ${LICENSES}
    }
    ${UPDATED_WORK}
    citation(style: $style) @include(if: $citation)
    bibtex @include(if: $bibtex)
  }
}`;

export const PARSE_DOI = `query ParseDoi($input: String!) {
  parseDoi(input: $input) {
    form
    decoded
    problem { code message position looksLike }
    meant { doi { name url } }
    doi {
      name
      canonicalName
      prefix
      suffix
      encodings(forms: [DISPLAY, URI, URL_RECOMMENDED, URN, INFO_URI, MARKDOWN, HTML]) { form value }
      warnings { code message repaired { name url } }
    }
  }
}`;

export const COMPARE_DOIS = `query CompareDois($a: String!, $b: String!) {
  doiEquivalence(a: $a, b: $b) {
    equivalent
    relation
    explanation
    a { ...Side }
    b { ...Side }
  }
}
fragment Side on ParsedDOI { doi { name canonicalName url } problem { code message } }`;

export const TOOL_DOCUMENTS: readonly string[] = [
  ...LOOK_UP_DOCUMENTS,
  ...WORK_DOCUMENTS,
  MATCH_REFERENCES,
  RESOLVE_DOI,
  DESCRIBE_DOIS,
  PARSE_DOI,
  COMPARE_DOIS,
];
