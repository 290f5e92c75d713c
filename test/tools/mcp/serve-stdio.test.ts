// The tools over two streams.

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { serveMcpOverStdio } from '../../../src/tools/mcp/serve-stdio.ts';

function serve(signal: AbortSignal = new AbortController().signal) {
  const input = new PassThrough();
  const output = new PassThrough();
  const gateway = { send: async () => ({ data: null, errors: [] }), isSample: false, maxLookups: null };
  const parts = { gateway, version: '1.2.3', reportUnexpected: () => {} };
  return { input, output, served: serveMcpOverStdio(parts, { input, output }, signal) };
}

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})}\n`;

describe('the tools over two streams', () => {
  it('send each response on one line, and end when the client closes the input', async () => {
    const { input, output, served } = serve();
    input.write(INITIALIZE);
    const [line] = (await once(output)).split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      id: 1,
      result: { serverInfo: { name: 'doi-gateway', version: '1.2.3' } },
    });
    input.end();
    await served;
  });

  it('end when the signal aborts', async () => {
    const stop = new AbortController();
    const { served } = serve(stop.signal);
    stop.abort();
    await served;
    await serve(AbortSignal.abort()).served;
  });

  it('end if a message is too large', async () => {
    const { input, served } = serve();
    input.write(Buffer.alloc(10_000_001, 'x'));
    await served;
  });
});

function once(output: PassThrough): Promise<string> {
  return new Promise((resolve) => output.once('data', (chunk: Buffer) => resolve(chunk.toString())));
}
