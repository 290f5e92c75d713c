// Attacks that send many requests in parallel to REST, Which RA, redirects, pages, metrics and the tools of `/mcp`.

import { requestBytes } from '../../../bench/http-bytes.ts';
import { type Attack, parallel, uncachedDoiRa, uncachedNames } from '../attack.ts';
import { known, letters, list, NAME, times } from '../requests.ts';

const uncached = (behaviour: Parameters<typeof uncachedNames>[1]): string =>
  uncachedNames(1, behaviour).join();
const get = (target: string, headers = {}): Buffer =>
  requestBytes({ target, headers: { connection: 'close', ...headers } });
/** A request for a page, which accepts HTML, as a browser does. */
const page = (target: string): Buffer => get(target, { accept: 'text/html' });

const targets = parallel({
  '/api/handles/, known name': get(`/api/handles/${NAME}`),
  '/api/handles/, uncached name, slow directory': () => get(`/api/handles/${uncached('slow')}`),
  '/api/handles/, uncached name, large record': () => get(`/api/handles/${uncached('large')}`),
  '/api/handles/, 20,000 values': get('/api/handles/10.5555/values?pretty'),
  '/api/handles/, a name of 14 kB': () => get(`/api/handles/${uncached('ordinary')}${letters(14_000)}`),
  '/doiRA/, 1,000 uncached names': [
    () => get(uncachedDoiRa(1_000)),
    { requestCounts: [50, 100, 150, 200, 300] },
  ],
  '/doiRA/, 300 large responses': () => get(`/doiRA/${uncachedNames(300, 'agencies').join(',')}`),
  '/doiRA/, 3,000 invalid names': get(`/doiRA/${times(3_000, '%25', ',')}`),
  'redirect, known name': get(`/${NAME}`),
  'redirect, uncached name, slow directory': () => get(`/${uncached('slow')}`),
  'redirect, a template that inserts the name 40,000 times': () =>
    get(`/${uncached('template')}${letters(5_000)}`),
  'page, front': page('/'),
  'page, inspector': page(`/?doi=${NAME}`),
  'page, GraphiQL': page('/graphql'),
  'page, values': page('/10.5555/values?noredirect'),
  'page, not found': page(`/10.1/${'%252F'.repeat(200)}.`),
  '/schema.graphql': get('/schema.graphql'),
  '/openapi.json': get('/openapi.json'),
  '/readyz': get('/readyz'),
  '/metrics': get('/metrics'),
  '/metrics, 100 at once': [get('/metrics'), { requestCounts: [2_000], atOnce: 100 }],
});

const MCP_HEADERS = {
  host: 'localhost',
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
const mcp = (message: unknown): Buffer =>
  requestBytes({ target: '/mcp', headers: MCP_HEADERS, body: JSON.stringify(message) });
const message = (id: number, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, given: object): Buffer =>
  mcp(message(1, 'tools/call', { name, arguments: given }));

const MANY_DOIS = '10.1000/a '.repeat(30_000);
const REFERENCES = known(2_000).join('\n');
const ONE_DOI = times(25_000, NAME, '\n');
const HUGE = `10.1/${letters(900_000)}`;
const INVALID = '10.1000/%zz<&amp;'.repeat(20_000);
const TOOL_LISTS = mcp(list(10, (n) => message(n, 'tools/list')));

const tools = parallel({
  '/mcp find_dois, a text with 30,000 DOIs': [
    call('find_dois', { text: MANY_DOIS }),
    { requestCounts: [40, 50, 150, 300] },
  ],
  '/mcp find_dois, 20,000 invalid DOIs': call('find_dois', { text: INVALID }),
  '/mcp check_references, a text with 30,000 DOIs': call('check_references', { text: MANY_DOIS }),
  '/mcp check_references, known names': call('check_references', { text: REFERENCES }),
  '/mcp check_references, known names, titles': call('check_references', { text: REFERENCES, titles: true }),
  '/mcp check_references, titles, 25,000 × one DOI': [
    call('check_references', { text: ONE_DOI, titles: true }),
    { requestCounts: [1, 10] },
  ],
  '/mcp check_references, uncached names, slow directory': () =>
    call('check_references', { text: uncachedNames(1_900, 'slow').join('\n') }),
  '/mcp resolve_doi, uncached name, slow directory': () => call('resolve_doi', { doi: uncached('slow') }),
  '/mcp resolve_doi, huge': call('resolve_doi', { doi: HUGE }),
  '/mcp parse_doi, huge': call('parse_doi', { input: HUGE }),
  '/mcp parse_doi, an invalid DOI of 340 kB': call('parse_doi', { input: INVALID }),
  '/mcp compare_dois, huge': call('compare_dois', { a: HUGE.slice(450_000), b: HUGE.slice(450_001) }),
  '/mcp tools/list, batches of ten': TOOL_LISTS,
  '/mcp tools/list, batches of ten, 50 at once': [TOOL_LISTS, { requestCounts: [500], atOnce: 50 }],
});

export const parallelEndpoints: readonly Attack[] = [...targets, ...tools];
