// A gateway with tools for agents and with fake agencies. Their clock advances only while both wait.

import { onTestFinished } from 'vitest';
import type { Environment } from '../../../src/config.ts';
import { exchange } from '../../http/exchange.ts';
import { type AgencyApisOptions, startAgencyApis } from '../../support/agencies/agency-apis.ts';
import { createDrivenTime } from '../../support/agencies/driven-time.ts';
import { startGateway } from '../../support/gateway.ts';
import type { Structured, ToolAnswer } from './mcp-gateway.ts';

export const PUMPS = {
  DOI: '10.5555/pumps',
  type: 'journal-article',
  title: ['Reliability of hydraulic pumps in alpine villages'],
  'container-title': ['Journal of Mountain Engineering'],
  issued: { 'date-parts': [[2012]] },
  author: [{ given: 'Ada', family: 'Berger' }],
  volume: '57',
  page: '978-991',
};
export const REFERENCE =
  'Berger A. Reliability of hydraulic pumps in alpine villages. Journal of Mountain Engineering. 2012;57:978-991.';
export const UNKNOWN = 'Marsh P. A history of ferries on the northern lakes. Harbour Press; 1977.';

export async function searchingGateway(options: Partial<AgencyApisOptions> = {}, env: Environment = {}) {
  const time = createDrivenTime(() => apis.held);
  const searched = { crossref: [PUMPS] };
  const apis = await startAgencyApis({ works: [], searched, time, latencyMs: 100, ...options });
  const gateway = await startGateway({ time }, { ...apis.env, CONTACT: 'operator@example.org', ...env });
  onTestFinished(async () => {
    await gateway.close();
    await apis.close();
    time.close();
  });
  return {
    apis,
    searches: () => apis.calls.filter(({ words }) => words !== undefined),
    call: (tool: string, given: object): Promise<SizedAnswer> =>
      time.drive(callTool(gateway.url, tool, given)),
  };
}

interface SizedAnswer extends ToolAnswer {
  /** the bytes of the whole result, as JSON */
  readonly bytes: number;
}

/** Calls a tool without the client of the SDK. The client uses undici, and its requests would stop the fake clock. */
async function callTool(url: string, name: string, given: object): Promise<SizedAnswer> {
  const params = { name, arguments: given };
  const { text } = await exchange(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = JSON.parse(text.slice(text.indexOf('{'))) as { readonly result: CallResult };
  const { content, structuredContent = {}, isError = false } = result;
  const bytes = Buffer.byteLength(JSON.stringify(result));
  return { isError, text: content[0].text, structured: structuredContent, bytes };
}

interface CallResult {
  readonly content: readonly [{ readonly text: string }];
  readonly structuredContent?: Structured;
  readonly isError?: boolean;
}
