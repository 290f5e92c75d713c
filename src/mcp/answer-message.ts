// What the server answers to one HTTP request, without a memory of those before.

import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Answer, HttpRequest } from '../http/exchange.ts';
import { createMcpServer, type McpServerParts } from './mcp-server.ts';

/** What a client says of the message beside it. */
const HEADERS = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Nothing of it is asked: the message is handed on as it was read. */
const HERE = 'http://localhost/mcp';

export async function answerMessage(
  request: Pick<HttpRequest, 'header' | 'signal'>,
  message: unknown,
  parts: McpServerParts,
): Promise<Answer> {
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = request.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const handler = createMcpHandler(() => createMcpServer(parts), {
    // Nothing ever changes that somebody could subscribe to.
    maxSubscriptions: 0,
  });
  const response = await handler.fetch(
    new Request(HERE, { method: 'POST', headers, signal: request.signal }),
    { parsedBody: message },
  );
  const text = await response.text();
  return {
    status: response.status,
    headers: {
      'Content-Type': response.headers.get('content-type') ?? undefined,
      'Cache-Control': 'no-store',
    },
    body: text === '' ? null : text,
  };
}
