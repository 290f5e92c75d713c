// The MCP server: which tools there are, and what a call of one returns.

import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { Turns } from '../graphql/turns.ts';
import { type ListedTool, listedTool } from './tool-listing.ts';
import { checkReferences } from './tools/check-references-tool.ts';
import { compareDois } from './tools/compare-dois-tool.ts';
import { findDois } from './tools/find-dois-tool.ts';
import { parseDoi } from './tools/parse-doi-tool.ts';
import { resolveDoi } from './tools/resolve-doi-tool.ts';
import { type Tool, type ToolContext, ToolError, type ToolGateway } from './tools/tool.ts';
import { withoutNulls } from './tools/without-nulls.ts';

const TOOLS: readonly ListedTool[] = [checkReferences, resolveDoi, parseDoi, compareDois, findDois].map(
  listedTool,
);

export interface McpServerParts {
  readonly gateway: ToolGateway;
  readonly version: string;
  readonly turns: Turns;
  /** Runs a call of a tool, now or after others. */
  readonly run: RunCall;
  /** gets errors that no tool expects */
  readonly reportUnexpected: (error: unknown) => void;
}

export type RunCall = <Result>(call: () => Promise<Result>) => Promise<Result>;

const INSTRUCTIONS =
  'Tools for DOI names. Use check_references on every reference list before you rely on it or hand it on. found, absent and cannot_tell are three different things: cannot_tell never means that a DOI does not exist.';

/** No tool changes anything. Those that are closed look nothing up. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false } as const;
const CLOSED: ReadonlySet<string> = new Set([parseDoi, compareDois, findDois].map(({ name }) => name));

/** Arguments of our tools have a few members. */
const MAX_INPUT_ELEMENTS = 100;

/** One for each HTTP request or each stdio connection: it holds nothing beyond that. */
export function createMcpServer(parts: McpServerParts): McpServer {
  const { gateway, version, turns, run, reportUnexpected } = parts;
  const server = new McpServer(
    { name: 'doi-gateway', title: 'DOI gateway', version },
    {
      // The tools are always the same, so there are no changes to report.
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS,
      maxToolInputElements: MAX_INPUT_ELEMENTS,
    },
  );
  for (const tool of TOOLS) {
    const { name, title, description, inputSchema, outputSchema } = tool;
    const annotations = { ...ANNOTATIONS, openWorldHint: !CLOSED.has(name) };
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations },
      (given, { mcpReq: { signal } }) =>
        run(() => callTool(tool, given, { gateway, signal, turns }, reportUnexpected)),
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
    // A call that waited behind others may come too late.
    context.signal.throwIfAborted();
    const { structured, text } = await tool.call(given, context);
    return { content: [{ type: 'text', text }], structuredContent: withoutNulls(structured) };
  } catch (error) {
    if (error instanceof ToolError) return failed(error.message);
    if (!context.signal.aborted) reportUnexpected(error);
    return failed('INTERNAL_SERVER_ERROR: Something went wrong in the gateway. The error has been logged.');
  }
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
