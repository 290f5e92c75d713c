// Serves the tools for agents over standard input and output, with one JSON message on each line.

import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { TURNS } from '../../turns.ts';
import { createMcpServer, type McpServerParts } from './mcp-server.ts';

/** The largest message on standard input. By default, MAX_BODY_BYTES gives requests to /mcp a much lower limit. */
const MAX_MESSAGE_BYTES = 10_000_000;

/**
 * Serves one client. Resolves when the client closes `input`, when the client sends a message that is too large, or when the
 * signal is aborted. Running calls then get no response.
 */
export async function serveMcpOverStdio(
  parts: Omit<McpServerParts, 'turns' | 'run'>,
  { input, output }: { readonly input: Readable; readonly output: Writable },
  signal: AbortSignal,
): Promise<void> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  // The end of the input and an abort both call `close`. `onclose` is not free, because the server uses it.
  const closeTransport = transport.close.bind(transport);
  const ended = new Promise<void>((resolve) => {
    transport.close = () => closeTransport().then(resolve);
  });
  const served = serveStdio(() => createMcpServer({ ...parts, turns: TURNS, run: (call) => call() }), {
    transport,
    maxSubscriptions: 0,
  });
  const close = () => void transport.close();
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  await ended;
  signal.removeEventListener('abort', close);
  await served.close();
}
