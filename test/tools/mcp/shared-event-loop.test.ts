// Many messages share the event loop. The work on messages runs in slices, and a batch runs one call at a time.

import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../src/http/request/exchange.ts';
import { createMcpEndpoint } from '../../../src/tools/mcp/mcp-endpoint.ts';
import { placesInText } from '../../../src/tools/mcp/tools/find-dois-tool.ts';
import { judgedReferences, type Places } from '../../../src/tools/mcp/tools/judged-places.ts';
import type { TurnsOfLongTasks } from '../../../src/turns.ts';
import { UNLIMITED_RESERVATION } from '../../support/unlimited-memory.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

function requestOf(message: unknown, { signal } = new AbortController()): HttpRequest {
  const body = async () => Buffer.from(JSON.stringify(message));
  const header = (name: string) => HEADERS[name];
  return {
    method: 'POST',
    header,
    requester: { refusal: null, client: { key: 'a' } },
    signal,
    reservation: UNLIMITED_RESERVATION,
    body,
  } as unknown as HttpRequest;
}

/** Slices of work that end at once. */
function shortTurns() {
  const log = { turns: 0 };
  const turns: TurnsOfLongTasks = {
    hasTime: () => false,
    async next() {
      log.turns += 1;
    },
  };
  return { log, turns };
}

type Graphql = Parameters<typeof createMcpEndpoint>[0]['graphql'];

function endpoint(turns: TurnsOfLongTasks, graphql: Graphql) {
  return createMcpEndpoint({
    graphql,
    turns,
    isSample: false,
    publicUrl: null,
    version: '1.2.3',
    maxLookups: 1_000,
    maxBodyBytes: 1_000_000,
    reportUnexpected(error) {
      throw error;
    },
  });
}

const call = (id: number, name: string, given: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

describe('/mcp', () => {
  it('lets other tasks run before each message', async () => {
    const waiting: (() => void)[] = [];
    const turns: TurnsOfLongTasks = {
      hasTime: () => true,
      next: () => new Promise((resolve) => waiting.push(resolve)),
    };
    const read: number[] = [];
    const responses = [1, 2].map(async (number) => {
      await endpoint(turns, () => ({ status: 200, headers: {}, body: null }))(requestOf('no message'));
      read.push(number);
    });
    await new Promise(setImmediate);
    expect([read, waiting.length]).toEqual([[], 2]);
    waiting[1]?.();
    await responses[1];
    expect(read).toEqual([2]);
    waiting[0]?.();
    await responses[0];
  });

  it('lets other tasks run between the names in a text', async () => {
    const { log, turns } = shortTurns();
    const { signal } = new AbortController();
    const found = await placesInText('10.1000/182 '.repeat(100), 0, () => true, { turns, signal });
    expect(found.places).toHaveLength(100);
    expect(log.turns).toBeGreaterThan(0);
  });

  it('stops reading a text if the client has disconnected', async () => {
    const { turns } = shortTurns();
    let places = 0;
    const takes = () => {
      places += 1;
      return true;
    };
    const gone = placesInText('10.1000/182 '.repeat(5_000), 0, takes, { turns, signal: AbortSignal.abort() });
    await expect(gone).rejects.toThrow('aborted');
    expect(places).toBeLessThan(100);
  });

  it('lets other tasks run between comparisons with titles', async () => {
    const { log, turns } = shortTurns();
    const { signal } = new AbortController();
    const text = '10.1000/182 Smith, J. (2020). Words of a title. '.repeat(20);
    const { places } = await placesInText(text, 0, () => true, { turns, signal });
    log.turns = 0;
    const metadata = { title: 'Words of a title', creators: [], issued: null };
    const send = async <Data>() => ({ data: { dois: [{ metadata }] } as Data, errors: [] });
    const gateway = { send, maxLookups: null, isSample: false };
    const judged = await judgedReferences(text, [places as unknown as Places], { gateway, signal, turns });
    expect(judged[0]?.flatMap((one) => one.places)).toHaveLength(20);
    expect(log.turns).toBeGreaterThan(0);
  });
});

describe('a batch', () => {
  it('runs its calls one after the other', async () => {
    let running = 0;
    let most = 0;
    const graphql: Graphql = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { status: 200, headers: {}, body: JSON.stringify({ data: { doi: null }, errors: [] }) };
    };
    const batch = Array.from({ length: 10 }, (_, id) => call(id, 'resolve_doi', { doi: `10.1000/${id}` }));
    const { body } = await endpoint(shortTurns().turns, graphql)(requestOf(batch));
    expect([most, String(body).match(/"isError":true/g)?.length]).toEqual([1, 10]);
  });

  it('begins no further call if the client has disconnected', async () => {
    const client = new AbortController();
    let calls = 0;
    const graphql: Graphql = () => {
      calls += 1;
      client.abort();
      return { status: 200, headers: {}, body: JSON.stringify({ data: { parseDoi: null } }) };
    };
    const batch = Array.from({ length: 10 }, (_, id) => call(id, 'parse_doi', { input: `10.1000/${id}` }));
    await endpoint(shortTurns().turns, graphql)(requestOf(batch, client));
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toBe(1);
  });
});
