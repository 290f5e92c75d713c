// docs/agents.md shows the real results of the tools.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpGateway, startMcpGateway } from './mcp-gateway.ts';
import { searchingGateway } from './searching-gateway.ts';

const page = await readFile('docs/agents.md', 'utf8');

/** The heading of each tool, the arguments of its call, and its result. */
const SHOWN = [...page.matchAll(/^### `(\w+)`$.*?```json\n(.*?)```.*?```json\n(.*?)```/gms)].map(
  ([, tool = '', call = '', result = '']) => [tool, JSON.parse(call), JSON.parse(result)] as const,
);

let gateway: McpGateway;
beforeAll(async () => {
  gateway = await startMcpGateway();
});
afterAll(() => gateway.close());

describe('docs/agents.md', () => {
  it('shows each tool', async () => {
    const { tools } = await gateway.client.listTools();
    expect(SHOWN.map(([tool]) => tool)).toEqual(tools.map(({ name }) => name));
  });

  it.each(SHOWN)('shows the result of %s', async (tool, call, result) => {
    const { structured } = await (tool === 'match_reference' ? await searchingGateway() : gateway).call(
      tool,
      call as Record<string, unknown>,
    );
    expect(structured).toEqual(result);
  });
});
