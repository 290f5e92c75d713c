/**
 * What a language model should know of the gateway (llmstxt.org), as Markdown.
 * @param base where links begin; empty for relative ones
 */
export function llmsText(base: string): string {
  const at = (path: string) => base + path;
  return `# DOI gateway

> Answers questions about DOI names: whether they are registered, where they lead, who registered them, how they are written in every form, and which DOIs stand in a text.

Rules:

- found, absent, invalid and "the directory could not be asked" are four different outcomes. Only "absent" means that a DOI does not exist.
- An error has a code. Where it is retryable, wait (retryAfterSeconds, Retry-After) and ask again.
- A name is never mended while it is read. What was probably meant stands beside it: show it to a person before you use it.
- Ask for many DOIs at once: one request for a thousand costs less than a thousand requests.

## Interfaces

- [Model Context Protocol](${at('/mcp')}): tools check_references, resolve_doi, parse_doi, compare_dois and find_dois over streamable HTTP (POST). Check every reference list that you write with check_references.
- [GraphQL](${at('/graphql')}): POST {"query": "…", "variables": {…}} as application/json. The [schema](${at('/schema.graphql')}) describes every field with an example.
- [REST](${at('/openapi.json')}): the DOI proxy's own API: ${at('/api/handles/{name}')}, ${at('/doiRA/{names}')}, ${at('/{name}')}.

## Examples

One DOI: \`{ doi(input: "https://doi.org/10.1000/182") { name url exists redirect { url } registrationAgency { name } } }\`

A list: \`query ($inputs: [String!]!) { dois(inputs: $inputs) { name exists suggestions { name } } }\`

The DOIs of a text: \`query ($text: String!) { findDois(text: $text) { doi { name exists } start end repaired } }\`

## Optional

- [What is where](${at('/')}): an index as JSON
- [Readiness](${at('/readyz')}): whether the directory answers
`;
}
