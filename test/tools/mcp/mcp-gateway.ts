// A gateway with tools for agents, and the client of the SDK.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AppParts } from '../../../src/app.ts';
import type { Environment } from '../../../src/config.ts';
import { startGateway } from '../../support/gateway.ts';

export interface McpGateway {
  readonly url: string;
  readonly client: Client;
  call(tool: string, given: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** The parts of results that tests read. */
export interface Structured {
  readonly references?: readonly CheckedReference[];
  readonly continueAt?: number;
  readonly [member: string]: unknown;
}

export interface CheckedReference {
  readonly doi: string;
  readonly status: string;
  readonly start: number;
  readonly alsoAt?: readonly number[];
  readonly fit?: string;
  readonly title?: string;
  readonly meant?: readonly object[];
  readonly notes?: readonly { readonly code: string }[];
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** empty for an error */
  readonly structured: Structured;
}

/** Arguments with one DOI for each tool, except match_reference. */
export function argumentsFor(
  doi: string,
): Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> {
  const text = `See ${doi}.`;
  return {
    check_references: { text },
    resolve_doi: { doi },
    describe_doi: { dois: [doi] },
    parse_doi: { input: doi },
    compare_dois: { a: doi, b: doi },
    find_dois: { text },
  };
}

export async function startMcpGateway(
  parts: AppParts = {},
  env: Environment = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<McpGateway> {
  const gateway = await startGateway(parts, env);
  const client = await connect(gateway.url, headers);
  return {
    url: gateway.url,
    client,
    call: (tool, given) => callTool(client, tool, given),
    async close() {
      await client.close();
      await gateway.close();
    },
  };
}

export async function connect(url: string, headers: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

export async function callTool(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const {
    content,
    structuredContent,
    isError = false,
  } = await client.callTool({
    name,
    arguments: { ...given },
  });
  const [first] = content;
  return {
    isError,
    text: first?.type === 'text' ? first.text : '',
    structured: (structuredContent ?? {}) as Structured,
  };
}

/** The notes on a DOI. The list is empty if the result has no notes. */
export function codes(notes: unknown): string[] {
  return ((notes ?? []) as { code: string }[]).map(({ code }) => code);
}
