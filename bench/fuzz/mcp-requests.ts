// Messages of the Model Context Protocol to /mcp, right and wrong.

import fc from 'fast-check';
import { damaged, spellings, weighted, words } from './arbitraries.ts';
import { type FuzzRequest, headers, whole } from './whole-request.ts';

/** By tool: its arguments about a text. Tools refuse the arguments of others. */
const TOOLS: Readonly<Record<string, (text: string) => object>> = {
  check_references: (text) => ({ text }),
  resolve_doi: (doi) => ({ doi }),
  parse_doi: (input) => ({ input }),
  compare_dois: (a) => ({ a, b: a.toUpperCase() }),
  find_dois: (text) => ({ text }),
  nothing: (text) => ({ text }),
  ['__proto__']: (text) => ({ text }),
};
const METHODS = [
  ...words(
    'initialize ping tools/list server/discover notifications/initialized notifications/cancelled subscriptions/listen resources/list prompts/get completion/complete logging/setLevel sampling/createMessage constructor',
  ),
  '',
];
const VERSIONS = [...words('2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28 1999-01-01'), '', 'é'];

const text = weighted(
  [6, spellings],
  [3, fc.array(spellings, { maxLength: 60 }).map((some) => some.join(', see also '))],
  [1, fc.constantFrom('10.1000/a '.repeat(20_000), '('.repeat(50_000), 'doi:'.repeat(9_000))],
);
const more = weighted(
  [6, fc.constant({})],
  [
    3,
    fc.record({ from: fc.nat(100), titles: fc.boolean(), problemsOnly: fc.boolean() }, { requiredKeys: [] }),
  ],
  [1, fc.constant({ titles: 'yes', more: Array(200).fill(0) })],
  [1, fc.constant({ from: -1 })],
);

const ids = fc.constantFrom<unknown>(0, 1, 'a', '', null, -1, 1.5, 1e308, {}, [], 'é'.repeat(200));

const calls = fc
  .tuple(
    ids,
    fc.constantFrom(...Object.entries(TOOLS)),
    text,
    more,
    weighted([9, fc.constant(null)], [1, fc.jsonValue()]),
  )
  .map(([id, [name, about], given, others, instead]) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: instead ?? { ...about(given), ...others } },
  }));

const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
const META = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const others = fc
  .tuple(
    ids,
    fc.constantFrom(...METHODS),
    fc.oneof(fc.constantFrom<unknown>(CLIENT, META, {}, undefined), fc.jsonValue()),
    fc.nat(4),
  )
  .map(([id, method, params, notified]) => ({
    jsonrpc: '2.0',
    ...(notified === 0 ? {} : { id }),
    method,
    params,
  }));

const answers = fc.tuple(ids, fc.jsonValue()).map(([id, result]) => ({
  jsonrpc: '2.0',
  id,
  ...(typeof result === 'string' ? { error: result } : { result }),
}));

const messages = weighted([8, calls], [4, others], [1, answers], [1, fc.jsonValue()]);

const bodies = weighted(
  [8, messages.map((one) => JSON.stringify(one))],
  [2, fc.array(messages, { maxLength: 12 }).map((some) => JSON.stringify(some))],
  [2, damaged(messages.map((one) => JSON.stringify(one)))],
  [1, fc.constantFrom('['.repeat(9_000), `{"a":${'{"a":'.repeat(5_000)}`, '')],
);

const told = fc.record(
  {
    host: fc.constantFrom(
      ...words('localhost 127.0.0.1:1 [::1] gateway.test localhost.evil.example a@b'),
      '',
    ),
    origin: fc.constantFrom('http://localhost', 'null', 'https://evil.example', 'http://[', ''),
    accept: fc.constantFrom(
      'application/json, text/event-stream',
      'application/json',
      '*/*',
      'text/html',
      '',
    ),
    'content-type': fc.constantFrom('application/json', 'application/json; charset=utf-16', 'text/plain'),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'x'),
    'mcp-protocol-version': fc.constantFrom(...VERSIONS),
    'mcp-method': fc.constantFrom(...METHODS, 'tools/call'),
    'mcp-name': fc.constantFrom(...Object.keys(TOOLS), '=?base64?eA==?='),
    'mcp-session-id': fc.constantFrom('1', 'x'.repeat(500)),
    'last-event-id': fc.constantFrom('1'),
  },
  { requiredKeys: [] },
);

/** What a client of the SDK says; some of it is taken away or said otherwise. */
const USUAL = {
  host: 'localhost',
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

const rareParameters = weighted([5, fc.constant({})], [3, told]);

export const mcpMessages: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom('POST', 'POST', 'POST', 'POST', 'POST', 'POST', 'GET', 'DELETE', 'OPTIONS', 'HEAD'),
    fc.constantFrom('/mcp', '/mcp', '/mcp', '/mcp/', '/mcp?sessionId=1'),
    bodies,
    rareParameters,
    weighted([3, fc.constant({})], [1, headers]),
  )
  .map(([method, target, body, some, more]) =>
    whole(method, target, { ...more, ...USUAL, ...some }, method === 'POST' ? body : undefined),
  );
