// A DOI system on loopback: a directory that redirects by Accept, as doi.org does, and the service of an agency.

import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import {
  type Behaviour,
  type DirectoryServer,
  requestedNames,
  sendJson,
  startDirectoryServer,
} from '../support/directory-server.ts';

export interface DoiSystem {
  readonly directory: DirectoryServer;
  readonly agency: DirectoryServer;
  /** the settings of a gateway in front of it */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const CSL_TYPE = 'application/vnd.citationstyles.csl+json';
export const TURTLE = '<https://doi.org/> a <http://schema.org/CreativeWork> .\n';

interface Described {
  readonly csl: { readonly [key: string]: unknown; readonly title: string };
  readonly citations: Readonly<Record<string, string>>;
}

/** The records and the works of the bundled sample. One service has content negotiation for all works. */
export async function startDoiSystem(): Promise<DoiSystem> {
  const records = await sampleOf<{ readonly values: readonly { readonly type: string }[] }>('directory');
  const works = await sampleOf<Described>('metadata');
  const agency = await startDirectoryServer(sendWork(works));
  const directory = await startDirectoryServer((request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/doiRA')) return sendJson(response, 200, []);
    const isRecord = url.startsWith('/api/');
    const name = isRecord ? (requestedNames(request).names[0] ?? '') : nameOf(request);
    const values = conneg(name, agency.url) ?? records.get(name.toLowerCase())?.values ?? null;
    if (!isRecord) return response.writeHead(302, { location: `${agency.url.href}${name}` }).end();
    if (values === null) return sendJson(response, 404, { responseCode: 100, handle: name });
    return sendJson(response, 200, { responseCode: 1, handle: name, values });
  });
  return {
    directory,
    agency,
    env: { DOI_DIRECTORY_URL: directory.url.origin, METADATA_HOSTS: agency.url.host },
    async close() {
      await directory.close();
      await agency.close();
    },
  };
}

/** Lines of data/, by name in lower case. */
async function sampleOf<Line>(what: 'directory' | 'metadata'): Promise<ReadonlyMap<string, Line>> {
  const text = await readFile(new URL(`../../data/sample-${what}.jsonl`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const read = JSON.parse(line) as Line & { readonly handle: string };
      return [read.handle.toLowerCase(), read];
    }),
  );
}

/** The locations that all prefixes share. */
function conneg(name: string, service: URL): readonly unknown[] | null {
  const value = (type: string, text: string) => [
    { index: 1, type, data: { format: 'string', value: text }, ttl: 86_400 },
  ];
  if (/^0\.NA\/10\./i.test(name)) return value('HS_NAMESPACE', '<n><locs>10.SERV/TEST</locs></n>');
  if (name !== '10.SERV/TEST') return null;
  const location = `<location weight="0" http_role="conneg" href_template="${service.href}{hdl:path}"/>`;
  return value('10320/loc', `<locations>${location}</locations>`);
}

function sendWork(works: ReadonlyMap<string, Described>): Behaviour {
  return (request, response) => {
    const work = works.get(nameOf(request).toLowerCase());
    const { accept = '' } = request.headers;
    const send = (type: string, body: string) => response.writeHead(200, { 'content-type': type }).end(body);
    if (work === undefined) response.writeHead(404).end();
    else if (accept.includes(CSL_TYPE)) send(CSL_TYPE, JSON.stringify(work.csl));
    else if (accept.includes('text/turtle')) send('text/turtle', TURTLE);
    else if (accept.startsWith('text/x-bibliography')) send('text/x-bibliography', citationOf(work, accept));
    else response.writeHead(406).end();
  };
}

function citationOf({ citations }: Described, accept: string): string {
  const [, style = 'apa'] = /style\s*=\s*([\w-]+)/.exec(accept) ?? [];
  return citations[`${style} en-US`] ?? '';
}

function nameOf({ url = '' }: IncomingMessage): string {
  return decodeURIComponent(url.slice(1));
}
