// Documents that describe the gateway to programs: the schema, the REST API, and a text for language models.

import { readFile } from 'node:fs/promises';
import { withCosts } from '../../schema/federation/costs.ts';
import { printSubgraph } from '../../schema/federation/subgraph.ts';
import { schema } from '../../schema/index.ts';
import { openApi } from './openapi.ts';
import { createDocument } from './static-files.ts';

/** A test checks that this file is equal to the schema in the code. */
const SCHEMA = new URL('../../../schema.graphql', import.meta.url);

const HEADERS = {
  'Cache-Control': 'public, max-age=300',
  Vary: 'Accept-Encoding',
  // Search engines should not list these documents.
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': "default-src 'none'",
};
const TEXT = { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' };
const JSON_DOCUMENT = { ...HEADERS, 'Content-Type': 'application/json; charset=utf-8' };

/** @param base the gateway's URL for clients; empty: links are relative */
export function createProgramDocuments(base: string, version: string) {
  return {
    schema: createDocument(TEXT, () => readFile(SCHEMA, 'utf8')),
    schemaWithCosts: createDocument(TEXT, async () => printSubgraph(withCosts(schema))),
    openApi: createDocument(JSON_DOCUMENT, async () => openApi(base, version)),
    llms: createDocument(TEXT, async () => llmsText(base)),
  };
}

/** Describes the gateway for language models, as Markdown (llmstxt.org). */
function llmsText(base: string): string {
  const at = (path: string) => base + path;
  return `# DOI gateway

> Looks up DOI names: whether they are registered, where they lead, and which agency registered them. Writes a DOI in every form. Finds the DOIs in a text.

Rules:

- A look-up has one of four outcomes: found, absent, invalid input, or a failure of the directory. Only "absent" means that a DOI does not exist.
- An error has a code. If it is retryable, wait (retryAfterSeconds, Retry-After) and send the request again.
- The gateway never repairs a name silently. It suggests the name that was probably meant: show the suggestion to a person before you use it.
- Look up many DOIs in one request: one request for a thousand names costs less than a thousand requests.

## Interfaces

- [Model Context Protocol](${at('/mcp')}): tools check_references, match_reference, resolve_doi, describe_doi, parse_doi, compare_dois and find_dois over streamable HTTP (POST). Check every reference list that you write with check_references.
- [GraphQL](${at('/graphql')}): POST {"query": "…", "variables": {…}} as application/json. The [schema](${at('/schema.graphql')}) describes every field with an example.
- [REST](${at('/openapi.json')}): the same API as the DOI proxy: ${at('/api/handles/{name}')}, ${at('/doiRA/{names}')}, ${at('/{name}')}.

## Examples

One DOI: \`{ doi(input: "https://doi.org/10.1000/182") { name url exists redirect { url } registrationAgency { name } } }\`

A list: \`query ($inputs: [String!]!) { dois(inputs: $inputs) { name exists suggestions { name } } }\`

The metadata of works, with their retractions and other updates: \`query ($inputs: [String!]!) { dois(inputs: $inputs) { name metadata { title creators { name } issued { year } containerTitle kind } updates { outcome source notices { kind date { text } doi { url } } } } }\`. An outcome NONE_RECORDED does not mean that a work is sound.

A citation, BibTeX or RIS: \`{ doi(input: "10.1000/182") { citation(style: "apa") bibtex ris } }\`. Over HTTP, GET ${at('/10.1000/182')} with \`Accept: application/x-bibtex\`.

The work that a reference in words describes: \`query ($reference: String!) { matchReference(reference: $reference) { outcome doi { name } evidence { detail verdict inReference inWork } sources } }\`. NOT_FOUND does not mean that the work is invented: the searched services do not have all books, reports and theses.

A handle that is not a DOI: \`{ handle(name: "20.500.12345/1") { exists redirect { url } record { status values { type text } } } }\`

The DOIs of a text: \`query ($text: String!) { findDois(text: $text) { doi { name exists } start end repaired } }\`

## Optional

- [Index](${at('/')}): the paths of the gateway, as JSON
- [Readiness](${at('/readyz')}): whether the directory responds
`;
}
