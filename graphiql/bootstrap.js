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
function takeLinkedQuery() {
  const link = new URLSearchParams(location.hash.slice(1));
  const query = link.get('query');
  if (!query) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return { query, variables: link.get('variables') ?? '' };
}

function storedTabs() {
  try {
    return JSON.parse(localStorage.getItem('graphiql:tabState')).tabs ?? [];
  } catch {
    return [];
  }
}

const asTab = ({ query, variables }, index) => ({
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
function storeTab(link, examples) {
  const stored = storedTabs();
  const tabs = stored.length > 0 ? stored : examples.map(asTab);
  const isOfLink = (tab) => tab.query === link.query && tab.variables === link.variables;
  if (!tabs.some(isOfLink)) tabs.push(asTab(link, tabs.length));
  const activeTabIndex = tabs.findIndex(isOfLink);
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
  // Waits until GraphiQL has stored the last edits.
  if (location.hash.startsWith('#query=')) setTimeout(() => location.reload(), 1000);
});

document.addEventListener('DOMContentLoaded', () => {
  const options = JSON.parse(document.getElementById('graphiql-options').textContent);
  const link = takeLinkedQuery();
  if (link) storeTab(link, options.defaultTabs);
  const first = link ?? options.defaultTabs[0];
  // For a link or a first visit, stores query and variables of the tab. With `defaultTabs` alone, GraphiQL would leave the
  // variables empty, and add an empty tab at the next visit.
  if (link || localStorage.getItem('graphiql:tabState') === null) {
    localStorage.setItem('graphiql:query', first.query);
    localStorage.setItem('graphiql:variables', first.variables);
  }
  // The bundle's own `onEditQuery` would copy the query into the URL of the page, and a reload would execute the query.
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), { ...options, onEditQuery: () => {} });
});
