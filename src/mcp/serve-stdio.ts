// The tools for agents over standard input and output: one JSON message a line.

import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpServerParts } from './mcp-server.ts';

export interface McpStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** One message. A text that is larger would be refused by the gateway as well. */
const MAX_MESSAGE_BYTES = 10_000_000;

/**
 * Serves one client until it closes `input`, or until the signal is aborted.
 */
export async function serveMcpOverStdio(
  parts: McpServerParts,
  { input, output }: McpStreams,
  signal: AbortSignal,
): Promise<void> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const ended = new Promise<void>((resolve) => {
    input
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
    output.once('close', resolve).once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const served = serveStdio(() => createMcpServer(parts), { transport, maxSubscriptions: 0 });
  await ended;
  await served.close();
}
