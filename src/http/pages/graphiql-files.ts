import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Handler } from '../request/exchange.ts';
import { mark } from './page-headers.ts';
import { createStaticFiles } from './static-files.ts';

// bootstrap.js configures GraphiQL. Some surprises:
// - It runs before graphiql.js, because Monaco reads `MonacoEnvironment` while it loads. Both scripts are deferred, so
//   DOMContentLoaded comes after both.
// - At the first visit, it stores query and variables of the first tab. With `defaultTabs` alone, GraphiQL would leave
//   the variables empty, and add an empty tab at the next visit.
// - A link with "#query=…&variables=…" opens the query in a new tab and does not execute it. The script stores this tab
//   at once, because GraphiQL stores a tab only after a change.
// - `onEditQuery` does nothing. The function of the bundle would copy the query into the URL of the page, and a reload
//   would execute the query.
// - If the gateway needs an API key, the request for the schema fails. Then a hint says where to enter the key.
const bootstrap = `'use strict';
const folder = document.currentScript.src;
const workers = { graphql: 'graphql.worker.js', json: 'json.worker.js' };
self.MonacoEnvironment = {
  globalAPI: false,
  getWorker: (_id, label) =>
    new Worker(new URL(workers[label] ?? 'editor.worker.js', folder), { name: label, type: 'module' }),
};
function takeCarried() {
  const carried = new URLSearchParams(location.hash.slice(1));
  const query = carried.get('query');
  if (!query) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return { query, variables: carried.get('variables') ?? '' };
}
function keptTabs() {
  try {
    return JSON.parse(localStorage.getItem('graphiql:tabState')).tabs ?? [];
  } catch {
    return [];
  }
}
const asKept = ({ query, variables }, index) => ({
  id: Date.now() + '-' + index,
  title: /^\\s*(?:query|mutation|subscription)\\s+(\\w+)/m.exec(query)?.[1] ?? '<untitled>',
  query,
  variables,
  hash: null,
  headers: null,
  operationName: null,
  response: null,
});
function keep(carried, examples) {
  const kept = keptTabs();
  const tabs = kept.length > 0 ? kept : examples.map(asKept);
  const same = (tab) => tab.query === carried.query && tab.variables === carried.variables;
  if (!tabs.some(same)) tabs.push(asKept(carried, tabs.length));
  const activeTabIndex = tabs.findIndex(same);
  localStorage.setItem('graphiql:tabState', JSON.stringify({ tabs, activeTabIndex }));
}
const ask = self.fetch;
self.fetch = async (...asked) => {
  const answer = await ask(...asked);
  document.getElementById('key-hint').hidden = answer.status !== 401;
  return answer;
};
addEventListener('hashchange', () => {
  // GraphiQL first stores the last edits.
  if (location.hash.startsWith('#query=')) setTimeout(() => location.reload(), 1000);
});
document.addEventListener('DOMContentLoaded', () => {
  const options = JSON.parse(document.getElementById('graphiql-options').textContent);
  const carried = takeCarried();
  if (carried) keep(carried, options.defaultTabs);
  const first = carried ?? options.defaultTabs[0];
  if (carried || localStorage.getItem('graphiql:tabState') === null) {
    localStorage.setItem('graphiql:query', first.query);
    localStorage.setItem('graphiql:variables', first.variables);
  }
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), { ...options, onEditQuery: () => {} });
});
`;

// The first rule corrects a fault of GraphiQL 5.2: when the mouse button goes down, a tab moves, so the click misses it.
// The other rules make room for the icon and the title, and place the hint about the API key.
const additionalCss = `
.graphiql-tab { transform: none !important; }
.graphiql-logo { flex-shrink: 0; white-space: nowrap; }
.graphiql-logo > div { gap: 10px; }
#key-hint { position: fixed; inset: auto 1rem 1rem auto; z-index: 10; max-width: 28rem; margin: 0; padding: .8rem 1rem; border-radius: 8px; background: #fff6dc; color: #17263a; font: 1rem/1.5 system-ui, sans-serif; }
#key-hint[hidden] { display: none; }
.graphiql-logo > div > div { width: 28px !important; }
`;

// Imported at the first request and not at the start, because the text has nine megabytes.
const bundle = () => import('@graphql-yoga/render-graphiql/graphiql');

const files = new Map<string, string | (() => Promise<string>)>([
  ['bootstrap.js', bootstrap],
  ['favicon.svg', mark],
  ['graphiql.css', async () => (await bundle()).css + additionalCss],
  ['graphiql.js', async () => (await bundle()).js],
  ['editor.worker.js', async () => (await bundle()).editorWorkerService],
  ['graphql.worker.js', async () => (await bundle()).graphqlWorker],
  ['json.worker.js', async () => (await bundle()).jsonWorker],
]);

// The path of the files changes when their content changes. A published version of the package never changes, so its
// version number is enough, and the package need not be loaded here.
const { version } = createRequire(import.meta.url)('@graphql-yoga/render-graphiql/package.json') as {
  version: string;
};
const hash = createHash('sha256')
  .update(version)
  .update(bootstrap + mark + additionalCss)
  .digest('hex');
const folder = `/graphiql/${version}-${hash.slice(0, 8)}/`;

export const graphiqlFilePath = (name: string): string => folder + name;

/** The handler of all paths below /graphiql/. A path of another version has status 404. */
export function createGraphiqlFiles(): Handler {
  return createStaticFiles(folder, files);
}
