// Configures GraphiQL. Runs before graphiql.js, because Monaco reads `MonacoEnvironment` while it loads. Both scripts
// are deferred, so DOMContentLoaded comes after both.
const folder = document.currentScript.src;
const workers = { graphql: 'graphql.worker.js', json: 'json.worker.js' };
self.MonacoEnvironment = {
  globalAPI: false,
  getWorker: (_id, label) =>
    new Worker(new URL(workers[label] ?? 'editor.worker.js', folder), { name: label, type: 'module' }),
};

// A link with "#query=…&variables=…" opens the query in a new tab and does not execute it.
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
  id: `${Date.now()}-${index}`,
  title: /^\s*(?:query|mutation|subscription)\s+(\w+)/m.exec(query)?.[1] ?? '<untitled>',
  query,
  variables,
  hash: null,
  headers: null,
  operationName: null,
  response: null,
});

// Stores the tab of a link at once, because GraphiQL stores a tab only after a change.
function keep(carried, examples) {
  const kept = keptTabs();
  const tabs = kept.length > 0 ? kept : examples.map(asKept);
  const same = (tab) => tab.query === carried.query && tab.variables === carried.variables;
  if (!tabs.some(same)) tabs.push(asKept(carried, tabs.length));
  const activeTabIndex = tabs.findIndex(same);
  localStorage.setItem('graphiql:tabState', JSON.stringify({ tabs, activeTabIndex }));
}

// If the gateway needs an API key, the request for the schema fails. Then a hint says where to enter the key.
const originalFetch = self.fetch;
self.fetch = async (...request) => {
  const response = await originalFetch(...request);
  document.getElementById('key-hint').hidden = response.status !== 401;
  return response;
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
  // At the first visit, stores query and variables of the first tab. With `defaultTabs` alone, GraphiQL would leave the
  // variables empty, and add an empty tab at the next visit.
  if (carried || localStorage.getItem('graphiql:tabState') === null) {
    localStorage.setItem('graphiql:query', first.query);
    localStorage.setItem('graphiql:variables', first.variables);
  }
  // The bundle's own `onEditQuery` would copy the query into the URL of the page, and a reload would execute the query.
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), { ...options, onEditQuery: () => {} });
});
