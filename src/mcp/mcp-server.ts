// The MCP server: which tools there are, and how their failures are told.

import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { checkReferences } from './tools/check-references-tool.ts';
import { compareDois } from './tools/compare-dois-tool.ts';
import { findDois } from './tools/find-dois-tool.ts';
import { parseDoi } from './tools/parse-doi-tool.ts';
import { resolveDoi } from './tools/resolve-doi-tool.ts';
import { type Tool, type ToolContext, ToolError, type ToolGateway } from './tools/tool.ts';

export const TOOLS: readonly Tool[] = [checkReferences, resolveDoi, parseDoi, compareDois, findDois];

export interface McpServerParts {
  readonly gateway: ToolGateway;
  readonly version: string;
  /** told of what a tool should have answered itself */
  readonly reportUnexpected: (error: unknown) => void;
}

const INSTRUCTIONS =
  'Tools for DOI names. Use check_references on every reference list before you rely on it or hand it on. found, absent and cannot_tell are three different things: cannot_tell never means that a DOI does not exist.';

/** Nothing is changed by any of them; the two that look nothing up ask nobody outside. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;
const CLOSED: ReadonlySet<Tool> = new Set([parseDoi, compareDois, findDois]);

/** Its schemas are of a few members: what has more is none of ours. */
const MAX_INPUT_ELEMENTS = 100;

/** One for each HTTP request or each stdio connection: it holds nothing beyond that. */
export function createMcpServer(parts: McpServerParts): McpServer {
  const { gateway, version, reportUnexpected } = parts;
  const server = new McpServer(
    { name: 'doi-gateway', title: 'DOI gateway', version },
    {
      // The tools are always the same: nobody has to be told of changes.
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS,
      maxToolInputElements: MAX_INPUT_ELEMENTS,
    },
  );
  for (const tool of TOOLS) {
    const { name, title, description, input, output } = tool;
    const annotations = { ...ANNOTATIONS, title, openWorldHint: !CLOSED.has(tool) };
    server.registerTool(
      name,
      { title, description, inputSchema: input, outputSchema: output, annotations },
      (given, { mcpReq: { signal } }) => callTool(tool, given, { gateway, signal }, reportUnexpected),
    );
  }
  return server;
}

async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  context: ToolContext,
  reportUnexpected: (error: unknown) => void,
): Promise<CallToolResult> {
  try {
    const { structured, text } = await tool.call(given, context);
    return { content: [{ type: 'text', text }], structuredContent: structured };
  } catch (error) {
    if (error instanceof ToolError) return failed(error.message);
    if (!context.signal.aborted) reportUnexpected(error);
    return failed('INTERNAL_SERVER_ERROR: Something went wrong in the gateway. The error has been logged.');
  }
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
