// Documents that describe the gateway to programs: the schema, the REST API, and a text for language models.

import { readFile } from 'node:fs/promises';
import etag from 'etag';
import { withCosts } from '../../schema/federation/costs.ts';
import { printSubgraph } from '../../schema/federation/subgraph.ts';
import { schema } from '../../schema/index.ts';
import type { Handler } from '../request/exchange.ts';
import { methodNotAllowed } from '../response/failure-headers.ts';
import { openApi } from './openapi.ts';
import { createCompressor } from './static-files.ts';

interface ProgramDocumentsOptions {
  /** the gateway's URL for clients; null: links are relative */
  readonly publicUrl: string | null;
  readonly version: string;
}

type ProgramDocuments = Readonly<Record<'schema' | 'schemaWithCosts' | 'openApi' | 'llms', Handler>>;

/** A test checks that this file is equal to the schema in the code. */
const SCHEMA = new URL('../../../schema.graphql', import.meta.url);

const TEXT = 'text/plain; charset=utf-8';

export function createProgramDocuments({ publicUrl, version }: ProgramDocumentsOptions): ProgramDocuments {
  const base = publicUrl ?? '';
  return {
    schema: createDocument(TEXT, () => readFile(SCHEMA, 'utf8')),
    schemaWithCosts: createDocument(TEXT, async () => printSubgraph(withCosts(schema))),
    openApi: createDocument('application/json; charset=utf-8', async () => openApi(base, version)),
    llms: createDocument(TEXT, async () => llmsText(base)),
  };
}

/** Makes the document at its first request, and keeps it until the process ends. */
function createDocument(type: string, make: () => Promise<string>): Handler {
  const compressed = createCompressor();
  let made: Promise<{ readonly text: string; readonly tag: string }> | undefined;

  return async (request) => {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed('GET, HEAD, OPTIONS');
    made ??= make().then((text) => ({ text, tag: etag(text, WEAK) }));
    const { text, tag } = await made;
    const { headers, body } = await compressed('document', async () => text, request);
    return {
      status: 200,
      headers: { ...HEADERS, 'Content-Type': type, ETag: tag, ...headers },
      body,
    };
  };
}

const HEADERS = {
  'Cache-Control': 'public, max-age=300',
  Vary: 'Accept-Encoding',
  // Search engines should not list these documents.
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': "default-src 'none'",
};

/** A weak ETag, because the same document has several encodings. */
const WEAK = { weak: true };

/**
 * Describes the gateway for language models, as Markdown (llmstxt.org).
 * @param base the beginning of links; empty: links are relative
 */
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

- [Model Context Protocol](${at('/mcp')}): tools check_references, resolve_doi, parse_doi, compare_dois and find_dois over streamable HTTP (POST). Check every reference list that you write with check_references.
- [GraphQL](${at('/graphql')}): POST {"query": "…", "variables": {…}} as application/json. The [schema](${at('/schema.graphql')}) describes every field with an example.
- [REST](${at('/openapi.json')}): the same API as the DOI proxy: ${at('/api/handles/{name}')}, ${at('/doiRA/{names}')}, ${at('/{name}')}.

## Examples

One DOI: \`{ doi(input: "https://doi.org/10.1000/182") { name url exists redirect { url } registrationAgency { name } } }\`

A list: \`query ($inputs: [String!]!) { dois(inputs: $inputs) { name exists suggestions { name } } }\`

A handle that is not a DOI: \`{ handle(name: "20.500.12345/1") { exists redirect { url } record { status values { type text } } } }\`

The DOIs of a text: \`query ($text: String!) { findDois(text: $text) { doi { name exists } start end repaired } }\`

## Optional

- [Index](${at('/')}): the paths of the gateway, as JSON
- [Readiness](${at('/readyz')}): whether the directory responds
`;
}
