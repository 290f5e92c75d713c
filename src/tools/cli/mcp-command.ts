// `doi mcp`: serves the tools for agents over standard input and output.

import { Writable } from 'node:stream';
import { VERSION } from '../../app/version.ts';
import { stackOf } from '../../safe-text.ts';
import { serveMcpOverStdio } from '../mcp/serve-stdio.ts';
import { defineCommand, GATEWAY_OPTIONS, POSITIVE_ANSWER, UsageError } from './command.ts';
import type { Output } from './output.ts';

export const mcpCommand = defineCommand({
  name: 'mcp',
  summary: 'serve tools for agents (Model Context Protocol) over standard input and output',
  operands: '',
  about: [
    'Serves check_references, match_reference, resolve_doi, describe_doi, parse_doi, compare_dois and find_dois to one client, until the client closes standard input. Clients start this command themselves: docs/agents.md shows how. A running gateway has the same tools at /mcp.',
    'Give --live or --gateway. With the bundled sample, a name that is not in the sample is "cannot tell", never absent.',
  ],
  options: GATEWAY_OPTIONS,
  examples: [
    {
      command: 'CONTACT=you@example.org doi mcp --live',
      meaning: 'The command to give to a client: tools over the live DOI system.',
    },
    {
      command: 'doi mcp --gateway https://doi.example.org',
      meaning: 'The same tools over a running gateway.',
    },
  ],
  exitCodes: { 0: 'The client closed standard input.', 3: 'The gateway of --gateway does not answer.' },
  async run({ operands, stdin, stdout, stderr, gateway, signal }) {
    if (operands.length > 0) throw new UsageError('doi mcp takes no operands. See  doi mcp --help');
    const { send, isSample, maxLookups } = await gateway();
    const parts = {
      gateway: { send, isSample, maxLookups },
      version: VERSION,
      reportUnexpected: (error: unknown) =>
        void stderr.write(`doi: ${stackOf(error)}\n`).catch(() => undefined),
    };
    await serveMcpOverStdio(
      parts,
      { input: stdin, output: stdout.isTerminal ? safeStream(stdout) : stdout.stream },
      signal,
    );
    signal.throwIfAborted();
    return POSITIVE_ANSWER;
  },
});

/** Writes to the terminal without the control characters that quoted text can contain. */
function safeStream(stdout: Output): Writable {
  return new Writable({
    write(piece: Buffer, _encoding, done) {
      stdout.write(piece.toString()).then(() => done(), done);
    },
  });
}
