// The path `/`: the inspector, a page for people. Programs that prefer JSON get an index of the paths.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { escapeMarkup } from 'doi-names/parts';
import type { DirectoryDescription } from '../../directory/directory.ts';
import type { Soon } from '../../time.ts';
import type { HttpRequest, HttpResponse } from '../request/exchange.ts';
import { locationQuery, preferredType } from '../response/negotiate.ts';
import { INSPECTOR_QUERIES } from './inspector-queries.ts';
import { LOGO, ownPolicy, pageHeaders } from './page-headers.ts';
import { readPageScripts } from './page-scripts.ts';
import { createDocument, createStaticFiles } from './static-files.ts';

/** The documents exactly as the page sends them, so that they also run with PERSISTED_ONLY. */
export function inspectorDocuments(): string[] {
  return Object.values(INSPECTOR_QUERIES);
}

// The folder of the inspector is beside src/ and dist/.
const folder = new URL('../../../inspector/', import.meta.url);

const texts: ReadonlyMap<string, string> = new Map([
  ['mark.svg', LOGO],
  ...readPageScripts('inspector', 'main.js'),
  ...readdirSync(folder)
    .filter((name) => /\.(?:css|svg)$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const),
]);

const hash = createHash('sha256');
for (const [name, text] of texts) hash.update(`${name}\0${text}\0`);

/** The path of the files. The path changes when a file changes, because browsers keep the files for a year. */
export const inspectorFolder = `/inspector/${hash.digest('hex').slice(0, 16)}/`;

const template = readFileSync(new URL('index.html', folder), 'utf8');

/**
 * The links of the page are relative, so that browsers can also load the page behind a proxy that adds a path.
 * @param address the gateway's URL for clients, for the commands on the page; null: unknown
 */
function renderInspector(address: string | null, directory: DirectoryDescription): string {
  return template
    .replaceAll(/(?<=(?:href|src)=")\.\/(?=[\w-]+\.(?:js|css|svg)")/g, `.${inspectorFolder}`)
    .replace('<!-- directory -->\n', () => embeddedNotice(directory))
    .replace('<!-- address -->', () => (address === null ? ADDRESS_NOTE : ''))
    .replaceAll('THIS-PAGE/', () => `${address === null ? 'THIS-PAGE' : escapeMarkup(address)}/`);
}

const ADDRESS_NOTE =
  ' Replace <code>THIS-PAGE</code> by the address of this page, without the slash at its end:';

/** A notice that the directory has only a few records. Names outside this directory can exist. */
function embeddedNotice({ kind, records }: DirectoryDescription): string {
  if (kind !== 'EMBEDDED') return '';
  const many = records === 1 ? 'One record' : `${records ?? 'Some'} records`;
  return `<p class="sample"><strong>${many} held in memory, not the live DOI system.</strong> To use that, start the gateway with <code>DOI_DIRECTORY_URL=https://doi.org</code>.</p>\n`;
}

const { name, version, description } = createRequire(import.meta.url)('../../../package.json') as Readonly<
  Record<'name' | 'version' | 'description', string>
>;

/**
 * The index of the paths, for programs that request `/`.
 * @param base the beginning of links; empty: links are relative
 * @param hasMetrics false if `/metrics` has a separate address
 */
function serviceIndex(base: string, hasMetrics: boolean): string {
  const at = (path: string) => base + path;
  const index = {
    name,
    version,
    description,
    graphql: at('/graphql'),
    schema: at('/schema.graphql'),
    schemaWithCosts: at('/schema-with-costs.graphql'),
    graphiql: at('/graphql'),
    inspector: at('/?doi={doi}'),
    rest: {
      record: at('/api/handles/{name}'),
      agencies: at('/doiRA/{names}'),
      redirect: at('/{name}'),
      openapi: at('/openapi.json'),
    },
    mcp: at('/mcp'),
    llms: at('/llms.txt'),
    health: {
      alive: at('/healthz'),
      ready: at('/readyz'),
      ...(hasMetrics && { metrics: at('/metrics') }),
    },
    documentation:
      'Open "graphiql" in a browser, or send an introspection query: the schema describes every field. For a person with one DOI, open "inspector".',
  };
  return `${JSON.stringify(index, null, 2)}\n`;
}

const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache',
  Vary: 'Accept',
};

// If a client prefers both types equally, the gateway chooses the first.
const offered = ['application/json', 'text/html'] as const;

interface InspectorOptions {
  /** the gateway's URL for clients; null: links are relative */
  readonly publicUrl: string | null;
  /** false if `/metrics` has a separate address */
  readonly hasMetrics: boolean;
  /** for a notice on the page if the directory is not the live system */
  readonly directory: DirectoryDescription;
}

export function createInspector(options: InspectorOptions) {
  const { publicUrl, hasMetrics, directory } = options;
  const html = renderInspector(publicUrl, directory);
  const page = createDocument(pageHeaders(ownPolicy("'self'"), 'Accept, Accept-Encoding'), async () => html);
  const base = publicUrl ?? '';
  const index: HttpResponse = { status: 200, headers: jsonHeaders, body: serviceIndex(base, hasMetrics) };
  const error = {
    message: `GraphQL is at ${base}/graphql: send the request there.`,
    extensions: { code: 'BAD_USER_INPUT', retryable: false },
  };
  const methodRefusal: HttpResponse = {
    status: 405,
    headers: { ...jsonHeaders, 'Cache-Control': 'no-store', Allow: 'GET, HEAD, OPTIONS' },
    body: `${JSON.stringify({ errors: [error] })}\n`,
  };

  return {
    /** `/` */
    home(request: HttpRequest): Soon<HttpResponse> {
      const { method } = request;
      if (method !== 'GET' && method !== 'HEAD') return methodRefusal;
      return preferredType(request, offered) === 'text/html' ? page(request) : index;
    },
    /** `/inspector` and `/inspector/`: people guess these paths */
    redirectHome({ path, query }: HttpRequest): HttpResponse {
      const home = publicUrl === null ? (path.endsWith('/') ? '../' : './') : `${publicUrl}/`;
      const location = home + locationQuery(query);
      return { status: 308, headers: { Location: location, 'Cache-Control': 'no-cache' }, body: null };
    },
    /** every other path below `/inspector/` */
    files: createStaticFiles(inspectorFolder, texts),
  };
}
