// Sums on the other faces: REST, Which RA, redirects, tools for agents, pages, metrics.

import { requestBytes } from '../../../http-bytes.ts';
import { names } from '../../../peers/data.mjs';
import { type Attack, list, type Options, times } from '../../attack.ts';
import { cold, coldDoiRa, type SumOptions, sums } from './sum.ts';

const LIVE: Options = { gateway: 'live' };
const NAME = names[0] ?? '';

const get = (name: string, target: string | (() => string), options: SumOptions = {}): Attack[] =>
  sums(
    name,
    () =>
      requestBytes({
        target: typeof target === 'function' ? target() : target,
        headers: { connection: 'close', ...(name.startsWith('page') && { accept: 'text/html' }) },
      }),
    options,
  );
const one = (temper: Parameters<typeof cold>[1]): string => cold(1, temper)[0] ?? '';

const rest = [
  ...get('/api/handles/, warm', `/api/handles/${NAME}`),
  ...get('/api/handles/, cold and slow', () => `/api/handles/${one('slow')}`, LIVE),
  ...get('/api/handles/, cold and large', () => `/api/handles/${one('large')}`, LIVE),
  ...get('/api/handles/, 20,000 values', '/api/handles/10.5555/values?pretty'),
  ...get(
    '/api/handles/, a name of 14 kB',
    () => `/api/handles/${one('ordinary')}${'x'.repeat(14_000)}`,
    LIVE,
  ),
  ...get('/doiRA/, 1,000 cold names', () => coldDoiRa(1_000), LIVE),
  ...get('/doiRA/, 300 large responses', () => `/doiRA/${cold(300, 'agencies').join(',')}`, LIVE),
  ...get('/doiRA/, bad', `/doiRA/${times(3_000, () => '%25', ',')}`),
  ...get('redirect, warm', `/${NAME}`),
  ...get('redirect, cold and slow', () => `/${one('slow')}`, LIVE),
  ...get('redirect, a template that grows', () => `/${one('template')}${'x'.repeat(5_000)}`, LIVE),
];

const pages = [
  ...get('page, front', '/'),
  ...get('page, inspector', `/?doi=${NAME}`),
  ...get('page, GraphiQL', '/graphql'),
  ...get('page, values', '/10.5555/values?noredirect'),
  ...get('page, not found', () => `/10.1/${'%252F'.repeat(200)}.`),
  ...get('/schema.graphql', '/schema.graphql'),
  ...get('/openapi.json', '/openapi.json'),
  ...get('/readyz', '/readyz'),
  ...get('/metrics', '/metrics'),
  ...get('/metrics, 2,000 over 100 connections', '/metrics', { times: 2_000, atOnce: 100, at: [100] }),
];

const MCP_HEADERS = {
  host: 'localhost',
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
export const mcp = (message: unknown): Buffer =>
  requestBytes({ target: '/mcp', headers: MCP_HEADERS, body: JSON.stringify(message) });
const message = (id: number, method: string, params?: unknown): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
export const call = (name: string, given: unknown): Buffer =>
  mcp(message(1, 'tools/call', { name, arguments: given }));
export const toolLists = mcp(list(10, (n) => message(n, 'tools/list')));

const MANY_PLACES = '10.1000/a '.repeat(30_000);
const references = (count: number): string => names.slice(0, count).join('\n');
const HUGE = `10.1/${'x'.repeat(900_000)}`;
const bad = '10.1000/%zz<&amp;'.repeat(20_000);

const tools = [
  ...sums('/mcp find_dois, 30,000 places', call('find_dois', { text: MANY_PLACES })),
  ...sums('/mcp find_dois, bad', call('find_dois', { text: bad })),
  ...sums('/mcp check_references, 30,000 places', call('check_references', { text: MANY_PLACES })),
  ...sums('/mcp check_references, warm', call('check_references', { text: references(2_000) })),
  ...sums(
    '/mcp check_references, titles',
    call('check_references', { text: references(2_000), titles: true }),
  ),
  ...sums(
    '/mcp check_references, cold',
    () => call('check_references', { text: cold(1_900, 'slow').join('\n') }),
    LIVE,
  ),
  ...sums('/mcp resolve_doi, cold', () => call('resolve_doi', { doi: one('slow') }), LIVE),
  ...sums('/mcp resolve_doi, huge', call('resolve_doi', { doi: HUGE })),
  ...sums('/mcp parse_doi, huge', call('parse_doi', { input: HUGE })),
  ...sums('/mcp parse_doi, bad', call('parse_doi', { input: bad })),
  ...sums(
    '/mcp compare_dois, huge',
    call('compare_dois', { a: HUGE.slice(450_000), b: HUGE.slice(450_001) }),
  ),
  ...sums('/mcp tools/list, batches of ten', toolLists),
];

export const faceSums: readonly Attack[] = [...rest, ...pages, ...tools];
