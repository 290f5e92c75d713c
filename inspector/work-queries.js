// The GraphQL documents about the work of a name. The server reads this module too, through queries.js.

/** Asked beside the directory: neither waits for the other. */
export const WORK = `# What the name identifies, as its agency describes it.
query InspectWork($input: String!) {
  doi(input: $input) {
    id
    metadata {
      title
      titleHtml
      creators { name }
      issued { year }
      containerTitle
      publisher
      volume
      issue
      page
      source
      fetchedAt
      stale
    }
  }
}`;

/** Of the names of a list that exist: asked for after the directory, a part at a time. */
export const LIST_TITLES = `# What the names of a list identify.
query InspectListTitles($inputs: [String!]!) {
  dois(inputs: $inputs) {
    id
    metadata { title }
  }
}`;

/** Each format is a separate look-up, so each is requested only when the user chooses it. */
export const CITATION = `# A citation, as the agency's service formats it.
query InspectCitation($input: String!, $style: String!) {
  doi(input: $input) {
    id
    text: citation(style: $style)
  }
}`;

export const BIBTEX = `# The entry for BibTeX.
query InspectBibtex($input: String!) {
  doi(input: $input) {
    id
    text: bibtex
  }
}`;

export const RIS = `# The record for reference managers.
query InspectRis($input: String!) {
  doi(input: $input) {
    id
    text: ris
  }
}`;
