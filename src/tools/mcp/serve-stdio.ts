// The tools for agents over standard input and output: one JSON message a line.

import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createTurns } from '../../time.ts';
import { createMcpServer, type McpServerParts } from './mcp-server.ts';

export interface McpStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** One message. The gateway refuses texts that are much shorter. */
const MAX_MESSAGE_BYTES = 10_000_000;

/**
 * Serves one client until it closes `input`, sends a message that is too large, or the signal is aborted. What is
 * being asked then is not answered any more.
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

/** Says when it has been closed, by whichever side. */
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
