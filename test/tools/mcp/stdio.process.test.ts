// `doi mcp` as a separate process, with messages over its standard input and output.

import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { argumentsFor, callTool } from './mcp-gateway.ts';

async function start(versionNegotiation: { readonly mode: 'auto' | 'legacy' }): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(dirname(inject('compiledGateway')), 'tools', 'cli', 'doi.js'), 'mcp'],
      stderr: 'inherit',
    }),
  );
  return client;
}

describe('doi mcp', () => {
  it.each([{ mode: 'auto' }, { mode: 'legacy' }] as const)(
    'lists and calls each tool, by the protocol of $mode',
    async (negotiation) => {
      const client = await start(negotiation);
      const doi = '10.1000/182';
      const { tools } = await client.listTools();
      const calls = Object.entries(argumentsFor(doi));
      // The sample has no search.
      const others = tools.filter(({ name }) => name !== 'match_reference');
      expect(others.map(({ name }) => name)).toEqual(calls.map(([name]) => name));
      for (const [name, given] of calls) {
        const { isError, text } = await callTool(client, name, given);
        expect([name, isError]).toEqual([name, false]);
        expect(text).not.toBe('');
      }
      const { structured } = await callTool(client, 'check_references', {
        text: `${doi}, 10.5555/not-there`,
      });
      expect(structured.references?.map(({ status }) => status)).toEqual(['found', 'cannot_tell']);
    },
  );
});
