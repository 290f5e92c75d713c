// The response to one message, or to a batch of them, without a memory of those before.

import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Answer, HttpRequest } from '../http/exchange.ts';
import { createMcpServer, type McpServerParts, type RunCall } from './mcp-server.ts';

/** What a client says of the message beside it. */
const HEADERS = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Never requested: the handler gets the message as the gateway has read it. */
const HERE = 'http://localhost/mcp';

export async function answerMessage(
  request: Pick<HttpRequest, 'header' | 'signal'>,
  message: unknown,
  parts: Omit<McpServerParts, 'run'>,
): Promise<Answer> {
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = request.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const run = oneAfterTheOther();
  const handler = createMcpHandler(() => createMcpServer({ ...parts, run }), {
    // The tools never change, so there is nothing to subscribe to.
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

/** The calls of a batch run one after the other: a request holds no more at once than one call does. */
function oneAfterTheOther(): RunCall {
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const running = last.then(call);
    last = running.catch(() => undefined);
    return running;
  };
}
