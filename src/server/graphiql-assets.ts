import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

type Bytes = Uint8Array<ArrayBuffer>;

/** What to answer; `body` is null for HEAD. */
export interface GraphiqlAsset {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Bytes | null;
}

// It runs before graphiql.js, because Monaco looks for its environment while it loads; both scripts are
// deferred, so DOMContentLoaded comes after both. On a first visit the first tab's text is also put where
// GraphiQL keeps its editors' text: `defaultTabs` alone leaves the variables empty, and at the next visit
// GraphiQL would find no tab with that text and add an empty one. `onEditQuery` replaces the bundle's own,
// which copies the query into the page's address: a reload would then execute it instead of showing it.
const bootstrap = `'use strict';
const folder = document.currentScript.src;
const workers = { graphql: 'graphql.worker.js', json: 'json.worker.js' };
self.MonacoEnvironment = {
  globalAPI: false,
  getWorker: (_id, label) =>
    new Worker(new URL(workers[label] ?? 'editor.worker.js', folder), { name: label, type: 'module' }),
};
document.addEventListener('DOMContentLoaded', () => {
  const options = JSON.parse(document.getElementById('graphiql-options').textContent);
  if (localStorage.getItem('graphiql:tabState') === null) {
    localStorage.setItem('graphiql:query', options.defaultTabs[0].query);
    localStorage.setItem('graphiql:variables', options.defaultTabs[0].variables);
  }
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), { ...options, onEditQuery: () => {} });
});
`;

/** The gateway's mark, a gate with a keyhole: the page's icon, and shown beside its title. */
export const graphiqlMark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f3a5f"/>' +
  '<path d="M9 25V15a7 7 0 0 1 14 0v10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>' +
  '<circle cx="16" cy="20" r="2.6" fill="#f5b82e"/></svg>';

// The first rule is for a fault of GraphiQL 5.2: of several tabs, one that is pressed for the first time
// jumps aside, so that the click misses it. The others give mark and title room.
const additionalCss = `
.graphiql-tab { transform: none !important; }
.graphiql-logo > div { gap: 10px; }
.graphiql-logo > div > div { width: 28px !important; }
`;

// Nine megabytes of text: imported at the first request for a part of it, never at start.
const bundle = () => import('@graphql-yoga/render-graphiql/graphiql');

const javascript = 'text/javascript; charset=utf-8';
const assets = new Map<string, { type: string; text: () => Promise<string> }>([
  ['bootstrap.js', { type: javascript, text: async () => bootstrap }],
  ['favicon.svg', { type: 'image/svg+xml', text: async () => graphiqlMark }],
  [
    'graphiql.css',
    { type: 'text/css; charset=utf-8', text: async () => (await bundle()).css + additionalCss },
  ],
  ['graphiql.js', { type: javascript, text: async () => (await bundle()).js }],
  ['editor.worker.js', { type: javascript, text: async () => (await bundle()).editorWorkerService }],
  ['graphql.worker.js', { type: javascript, text: async () => (await bundle()).graphqlWorker }],
  ['json.worker.js', { type: javascript, text: async () => (await bundle()).jsonWorker }],
]);

// A published version never changes, so version and own files stand for the content: no need to load it.
const { version } = createRequire(import.meta.url)('@graphql-yoga/render-graphiql/package.json') as {
  version: string;
};
const hash = createHash('sha256')
  .update(version)
  .update(bootstrap + graphiqlMark + additionalCss)
  .digest('hex');
const folder = `/graphiql/${version}-${hash.slice(0, 8)}/`;

export const graphiqlAssetPath = (name: string): string => folder + name;

// Quality 5 takes a tenth of a second for the largest file; 11 would take ten, for a sixth fewer bytes.
const encoders: Record<string, (bytes: Bytes) => Promise<Bytes>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** The `preferred` option is there since 1.0, but not in the types. */
type PreferringNegotiator = Negotiator & {
  encoding(available: string[], options: { readonly preferred: string[] }): string | undefined;
};

function negotiateEncoding(accepted: string): string {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } }) as PreferringNegotiator;
  return negotiator.encoding([...Object.keys(encoders), 'identity'], { preferred: ['br'] }) ?? 'identity';
}

/**
 * Answers for every path below /graphiql/. Each encoding of a file is made once, at its first request and
 * off the main thread. No ETag: the address changes with the content.
 */
export function createGraphiqlAssets(): (request: Request, path: string) => Promise<GraphiqlAsset> {
  const made = new Map<string, Promise<Bytes>>();

  function bytesOf(name: string, text: () => Promise<string>, encoding: string): Promise<Bytes> {
    const key = `${name} ${encoding}`;
    let bytes = made.get(key);
    if (!bytes) {
      const encode = encoders[encoding];
      bytes = encode ? bytesOf(name, text, 'identity').then(encode) : text().then((it) => Buffer.from(it));
      made.set(key, bytes);
      bytes.catch(() => made.delete(key));
    }
    return bytes;
  }

  return async ({ method, headers }, path) => {
    const name = path.startsWith(folder) ? path.slice(folder.length) : '';
    const asset = assets.get(name);
    if (!asset) return refusal(404, 'No such file.\n');
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'GET or HEAD.\n', { Allow: 'GET, HEAD' });
    const encoding = negotiateEncoding(headers.get('accept-encoding') ?? '');
    const bytes = await bytesOf(name, asset.text, encoding);
    return {
      status: 200,
      headers: {
        'Content-Type': asset.type,
        'Content-Length': String(bytes.byteLength),
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
        ...closed,
      },
      body: method === 'HEAD' ? null : bytes,
    };
  };
}

// A worker is ruled by the policy of its own script, not by the page's: this one lets it load nothing.
const closed = { 'Content-Security-Policy': "default-src 'none'", 'X-Content-Type-Options': 'nosniff' };

function refusal(status: number, text: string, headers: Record<string, string> = {}): GraphiqlAsset {
  const type = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers: { ...type, ...closed, ...headers }, body: Buffer.from(text) };
}
