// Messages of the Model Context Protocol to /mcp, valid and invalid.

import fc from 'fast-check';
import { damaged, mutated, spellings, weighted, wordFrom, words } from './arbitraries.ts';
import { type FuzzRequest, headers, wholeRequest } from './whole-request.ts';

/** For each tool, a function that puts a text into its arguments. */
const TOOLS: Readonly<Record<string, (text: string) => object>> = {
  check_references: (text) => ({ text }),
  match_reference: (reference) => ({ reference }),
  resolve_doi: (doi) => ({ doi }),
  describe_doi: (doi) => ({ dois: [doi, doi.toUpperCase()] }),
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
  [3, fc.array(spellings, { maxLength: 60 }).map((inputs) => inputs.join(', see also '))],
  [1, fc.constantFrom('10.1000/a '.repeat(20_000), '('.repeat(50_000), 'doi:'.repeat(9_000))],
);
const someArguments = fc.record(
  {
    from: fc.integer({ min: -1, max: 100 }),
    titles: fc.boolean(),
    match: fc.boolean(),
    problemsOnly: fc.boolean(),
  },
  { requiredKeys: [] },
);
const calls = fc
  .tuple(fc.constantFrom(...Object.entries(TOOLS)), text, weighted([7, fc.constant({})], [3, someArguments]))
  .map(([[name, argumentsFor], given, extra]) => ({ name, arguments: { ...argumentsFor(given), ...extra } }));

const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
const META = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const request = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
const otherRequests = fc
  .tuple(fc.constantFrom(...METHODS), fc.constantFrom(CLIENT, META, {}, undefined))
  .map(([method, params]) => request(method, params));
const plain: fc.Arbitrary<object> = weighted(
  [8, calls.map((params) => request('tools/call', params))],
  [4, otherRequests],
  [1, fc.jsonValue().map((result) => ({ jsonrpc: '2.0', id: 1, result }))],
);
/** A mutation may also remove the `id`. Then the message is a notification. */
const messages = weighted([8, plain], [5, mutated(plain, 2)], [1, fc.jsonValue()]);

const bodies = weighted(
  [8, messages.map((one) => JSON.stringify(one) ?? '')],
  [2, fc.array(messages, { maxLength: 12 }).map((batch) => JSON.stringify(batch))],
  [2, damaged(messages.map((one) => JSON.stringify(one) ?? ''))],
  [1, fc.constantFrom('['.repeat(9_000), `{"a":${'{"a":'.repeat(5_000)}`, '')],
);

/** The headers that the client of the MCP SDK sends. `oddHeaders` replaces some of them and adds others. */
const USUAL = {
  host: 'localhost',
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
const oddHeaders = fc.record(
  {
    host: fc.constantFrom(
      ...words('localhost 127.0.0.1:1 [::1] gateway.test localhost.evil.example a@b'),
      '',
    ),
    origin: fc.constantFrom('http://localhost', 'null', 'https://evil.example', 'http://[', ''),
    accept: fc.constantFrom(USUAL.accept, 'application/json', '*/*', 'text/html', ''),
    'content-type': fc.constantFrom('application/json', 'application/json; charset=utf-16', 'text/plain'),
    'content-encoding': wordFrom('gzip identity x'),
    'mcp-protocol-version': fc.constantFrom(...VERSIONS),
    'mcp-method': fc.constantFrom(...METHODS, 'tools/call'),
    'mcp-name': fc.constantFrom(...Object.keys(TOOLS), '=?base64?eA==?='),
    'mcp-session-id': fc.constantFrom('1', 'x'.repeat(500)),
    'last-event-id': fc.constant('1'),
  },
  { requiredKeys: [] },
);

export const mcpMessages: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    wordFrom('POST POST POST POST POST POST GET DELETE OPTIONS HEAD'),
    wordFrom('/mcp /mcp /mcp /mcp/ /mcp?sessionId=1'),
    bodies,
    weighted([5, fc.constant({})], [3, oddHeaders]),
    weighted([3, fc.constant({})], [1, headers]),
  )
  .map(([method, target, body, replaced, others]) =>
    wholeRequest(method, target, { ...others, ...USUAL, ...replaced }, method === 'POST' ? body : undefined),
  );
