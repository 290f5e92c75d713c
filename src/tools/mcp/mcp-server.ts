// The MCP server for agents. It registers the tools, and answers one message or a batch. It has no state between messages.

import { type CallToolResult, createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { HttpRequest, HttpResponse } from '../../http/request/exchange.ts';
import type { TurnsOfLongTasks } from '../../turns.ts';
import { checkReferencesTool } from './tools/check-references-tool.ts';
import { compareDoisTool } from './tools/compare-dois-tool.ts';
import { describeDoiTool } from './tools/describe-doi-tool.ts';
import { findDoisTool } from './tools/find-dois-tool.ts';
import { matchReferenceTool } from './tools/match-reference-tool.ts';
import { parseDoiTool } from './tools/parse-doi-tool.ts';
import { resolveDoiTool } from './tools/resolve-doi-tool.ts';
import { type Tool, type ToolContext, ToolError, type ToolGateway, withoutNulls } from './tools/tool.ts';

/** The headers that the MCP handler reads. */
const HEADERS = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** The handler gets the parsed message, and opens no connection. */
const PLACEHOLDER_URL = 'http://localhost/mcp';

export async function answerMessage(
  request: Pick<HttpRequest, 'header' | 'signal'>,
  message: unknown,
  parts: Omit<McpServerParts, 'run'>,
): Promise<HttpResponse> {
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = request.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  const run = createSequentialRun();
  const handler = createMcpHandler(() => createMcpServer({ ...parts, run }), {
    // The tools never change, so there are no subscriptions.
    maxSubscriptions: 0,
  });
  const posted = new Request(PLACEHOLDER_URL, { method: 'POST', headers, signal: request.signal });
  const response = await handler.fetch(posted, { parsedBody: message });
  const body = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: {
      'Content-Type': response.headers.get('content-type') ?? undefined,
      'Cache-Control': 'no-store',
    },
    body: body.length === 0 ? null : body,
  };
}

/** The function runs the calls of a batch one after the other, so that a request needs the memory of one call. */
function createSequentialRun(): RunCall {
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const running = last.then(call);
    last = running.catch(() => undefined);
    return running;
  };
}

const TOOLS: readonly ListedTool[] = [
  checkReferencesTool,
  matchReferenceTool,
  resolveDoiTool,
  describeDoiTool,
  parseDoiTool,
  compareDoisTool,
  findDoisTool,
].map(listedTool);

export interface McpServerParts {
  readonly gateway: ToolGateway;
  readonly version: string;
  readonly turns: TurnsOfLongTasks;
  /** Runs a call of a tool, at once or after the other calls of a batch. */
  readonly run: RunCall;
  /** receives unexpected errors */
  readonly reportUnexpected: (error: unknown) => void;
}

export type RunCall = <Result>(call: () => Promise<Result>) => Promise<Result>;

const INSTRUCTIONS =
  'Tools for DOI names. Use check_references on every reference list before you rely on it or hand it on. found, absent and cannot_tell are three different things: cannot_tell never means that a DOI does not exist. match_reference finds the DOI of a reference in words.';

/** No tool changes anything. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false } as const;
const WITHOUT_LOOK_UPS: ReadonlySet<string> = new Set(
  [parseDoiTool, compareDoisTool, findDoisTool].map(({ name }) => name),
);

/** The largest number of elements in the arguments of a call. The tools need only a few. */
const MAX_INPUT_ELEMENTS = 100;

/** Creates the server of one HTTP request or of one stdio connection. */
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
    const annotations = { ...ANNOTATIONS, openWorldHint: !WITHOUT_LOOK_UPS.has(name) };
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
    // The client can disconnect while the call waits.
    context.signal.throwIfAborted();
    const { structured, text } = await tool.call(given, context);
    return { content: [{ type: 'text', text }], structuredContent: withoutNulls(structured) };
  } catch (error) {
    if (error instanceof ToolError) return errorOf(error.message);
    if (!context.signal.aborted) reportUnexpected(error);
    return errorOf('INTERNAL_SERVER_ERROR: Something went wrong in the gateway. The error has been logged.');
  }
}

function errorOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

type StandardSchema = z.ZodObject['~standard'];

interface ListedTool extends Tool {
  readonly inputSchema: { readonly '~standard': StandardSchema };
  readonly outputSchema: { readonly '~standard': StandardSchema };
}

export function listedTool(tool: Tool): ListedTool {
  return { ...tool, inputSchema: listed(tool.input, 'input'), outputSchema: listed(tool.output, 'output') };
}

function listed(schema: z.ZodObject, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => shorten(jsonSchema, io),
  });
  const jsonSchema = { input: () => json, output: () => json };
  return { '~standard': { ...schema['~standard'], jsonSchema } };
}

/** Removes keywords that do not help language models. A model reads the list of tools often, so the list must be short. */
function shorten(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  // Every member name in JSON is a string.
  delete schema.propertyNames;
}
