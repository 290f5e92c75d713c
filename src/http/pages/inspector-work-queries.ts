// The GraphQL documents of the inspector about the work of a name, by the name of their operation.

const EVIDENCE_FIELDS = 'evidence { detail verdict inReference inWork }';

export const WORK_QUERIES = {
  /** The page sends this query in parallel with the look-ups of the name. */
  InspectWork: `# What the name identifies, as its agency describes it.
query InspectWork($input: String!) {
  doi(input: $input) {
    id
    metadata {
      title
      titleHtml
      creators { name affiliations { name } }
      issued { year }
      containerTitle
      publisher
      volume
      issue
      page
      kind
      abstract
      licenses { url name spdx appliesTo }
      funding { funder funderId awardNumber awardTitle awardUrl }
      referenceCount
      source
      fetchedAt
      stale
    }
    updates {
      outcome
      source
      notices { kind type doi { id name } date { text } sources }
      noticeOf { kind type work { id name } date { text } }
    }
    relations(kinds: [
      HAS_PREPRINT, IS_PREPRINT_OF, IS_REPLACED_BY, REPLACES,
      IS_PREVIOUS_VERSION_OF, IS_NEW_VERSION_OF, HAS_TRANSLATION, IS_TRANSLATION_OF
    ]) { kind doi { id name } identifier }
  }
}`,

  /** What a work cites. The page sends this query when the reader opens the list. */
  InspectReferences: `# What the work cites.
query InspectReferences($input: String!) {
  doi(input: $input) {
    id
    references { text title year doi { id name } }
  }
}`,

  /** For the existing names of a list, and for cited works. The page sends this query after their look-ups, part by part. */
  InspectListTitles: `# What the names of a list identify.
query InspectListTitles($inputs: [String!]!) {
  dois(inputs: $inputs) {
    id
    metadata { title issued { year } }
    updates { outcome source }
  }
}`,

  /** The BibTeX entries of the names of a list, for one file. */
  InspectListBibtex: `# The entries for BibTeX of a list of names.
query InspectListBibtex($inputs: [String!]!) {
  dois(inputs: $inputs) {
    id
    bibtex
  }
}`,

  /** Each format is a separate look-up, so the page requests a format only when the user chooses it. */
  InspectCitation: `# A citation, as the agency's service formats it.
query InspectCitation($input: String!, $style: String!) {
  doi(input: $input) {
    id
    text: citation(style: $style)
  }
}`,

  InspectBibtex: `# The entry for BibTeX.
query InspectBibtex($input: String!) {
  doi(input: $input) {
    id
    text: bibtex
  }
}`,

  InspectRis: `# The record for reference managers.
query InspectRis($input: String!) {
  doi(input: $input) {
    id
    text: ris
  }
}`,

  /** The works that references in words describe. The evidence has their titles and years. */
  InspectMatches: `# Which works the references describe, with what agrees and what differs.
query InspectMatches($references: [String!]!) {
  matchReferences(references: $references) {
    outcome
    doi { id name }
    ${EVIDENCE_FIELDS}
    candidates { doi { id name } ${EVIDENCE_FIELDS} }
    sources
  }
}`,
} as const;
