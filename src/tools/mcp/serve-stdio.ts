// Serves the tools for agents over standard input and output, with one JSON message on each line.

import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createTurns } from '../../time.ts';
import { createMcpServer, type McpServerParts } from './mcp-server.ts';

export interface McpStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** The limit of one message. The limit of the gateway for a text is much lower. */
const MAX_MESSAGE_BYTES = 10_000_000;

/**
 * Serves one client until it closes `input`, sends a message that is too large, or the signal is aborted. Running calls
 * then get no response.
 */
export async function serveMcpOverStdio(
  parts: Omit<McpServerParts, 'turns' | 'run'>,
  { input, output }: McpStreams,
  signal: AbortSignal,
): Promise<void> {
  const transport = new EndingTransport(input, output);
  const turns = createTurns();
  const served = serveStdio(() => createMcpServer({ ...parts, turns, run: (call) => call() }), {
    transport,
    maxSubscriptions: 0,
  });
  const leave = () => void transport.close();
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  await transport.ended;
  signal.removeEventListener('abort', leave);
  await served.close();
}

/** A transport with a promise that resolves when either side closes it. */
class EndingTransport extends StdioServerTransport {
  readonly ended: Promise<void>;
  #end: () => void = () => {};

  constructor(input: Readable, output: Writable) {
    super(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#end();
  }
}
