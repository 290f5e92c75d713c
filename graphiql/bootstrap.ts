// Configures GraphiQL. Runs before graphiql.js, because Monaco reads `MonacoEnvironment` while it loads. This module and
// graphiql.js are deferred, so DOMContentLoaded comes after both.

/** What graphiql.js defines and reads. */
declare global {
  var MonacoEnvironment: {
    readonly globalAPI: boolean;
    getWorker(id: string, label: string): Worker;
  };
  var YogaGraphiQL: { renderYogaGraphiQL(root: HTMLElement, options: object): void };
}

/** The query and the variables of a tab. */
interface Example {
  readonly query: string;
  readonly variables: string;
}

/** In the format of GraphiQL. */
interface Tab extends Example {
  readonly id: string;
  readonly title: string;
  readonly hash: null;
  readonly headers: null;
  readonly operationName: null;
  readonly response: null;
}

interface Options {
  readonly defaultTabs: readonly [Example, ...Example[]];
}

const WORKERS: ReadonlyMap<string, string> = new Map([
  ['graphql', 'graphql.worker.js'],
  ['json', 'json.worker.js'],
]);

self.MonacoEnvironment = {
  globalAPI: false,
  getWorker: (_id, label) =>
    new Worker(new URL(WORKERS.get(label) ?? 'editor.worker.js', import.meta.url), {
      name: label,
      type: 'module',
    }),
};

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element;
}

// A link with "#query=…&variables=…" opens the query in a new tab and does not execute it.
function takeLinkedQuery(): Example | null {
  const link = new URLSearchParams(location.hash.slice(1));
  const query = link.get('query');
  if (!query) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return { query, variables: link.get('variables') ?? '' };
}

function storedTabs(): readonly Tab[] {
  try {
    const state = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}') as { tabs?: readonly Tab[] };
    return state.tabs ?? [];
  } catch {
    return [];
  }
}

const asTab = ({ query, variables }: Example, index: number): Tab => ({
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
function storeTab(link: Example, examples: readonly Example[]): void {
  const stored = storedTabs();
  const tabs = stored.length > 0 ? [...stored] : examples.map(asTab);
  const isOfLink = (tab: Tab) => tab.query === link.query && tab.variables === link.variables;
  if (!tabs.some(isOfLink)) tabs.push(asTab(link, tabs.length));
  const activeTabIndex = tabs.findIndex(isOfLink);
  localStorage.setItem('graphiql:tabState', JSON.stringify({ tabs, activeTabIndex }));
}

// If the gateway needs an API key, the request for the schema fails. Then a hint says where to enter the key.
const originalFetch = self.fetch;
self.fetch = async (...request) => {
  const response = await originalFetch(...request);
  byId('key-hint').hidden = response.status !== 401;
  return response;
};

addEventListener('hashchange', () => {
  // Waits until GraphiQL has stored the last edits.
  if (location.hash.startsWith('#query=')) setTimeout(() => location.reload(), 1000);
});

document.addEventListener('DOMContentLoaded', () => {
  const options = JSON.parse(byId('graphiql-options').textContent ?? '') as Options;
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
  YogaGraphiQL.renderYogaGraphiQL(byId('root'), { ...options, onEditQuery: () => {} });
});

export {};
