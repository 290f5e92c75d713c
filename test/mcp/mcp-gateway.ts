// A gateway with tools for agents, asked by the SDK's own client.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AppParts } from '../../src/app.ts';
import type { Environment } from '../../src/config.ts';
import { startGateway } from '../support/gateway.ts';

export interface McpGateway {
  readonly url: string;
  readonly client: Client;
  call(tool: string, given: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** undefined for an error */
  readonly structured: Readonly<Record<string, unknown>> | undefined;
}

/** @param versionNegotiation the client's: `auto` is the protocol of 2026, without it that of 2025 */
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

async function connect(url: string, headers: Readonly<Record<string, string>>): Promise<Client> {
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
    structured: structuredContent as ToolAnswer['structured'],
  };
}
