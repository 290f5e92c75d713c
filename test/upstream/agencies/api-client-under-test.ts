// A directory with fake APIs of Crossref and DataCite, whose responses the test sets.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { DescribeOptions, MetadataAnswer, WhichRaAnswer } from '../../../src/directory/directory.ts';
import { CSL, type MetadataFormat } from '../../../src/works/metadata-format.ts';
import { type DirectoryServer, startDirectoryServer } from '../../support/directory-server.ts';
import { createProxyAt, handleName } from '../proxy-under-test.ts';

/** Responds to a request for the names. */
export type Respond = (names: readonly string[], response: ServerResponse, request: IncomingMessage) => void;

const FAST = {
  'content-type': 'application/json',
  'x-rate-limit-limit': '1000',
  'x-rate-limit-interval': '1s',
  'x-concurrency-limit': '5',
};

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, FAST).end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const work = (DOI: string) => ({ DOI, type: 'journal-article', title: [`Work ${DOI.toLowerCase()}`] });
export const ok: Respond = (names, response) => {
  const items = names.map(work);
  send(response, 200, { message: names.length === 1 ? { ...work(names[0] ?? ''), items } : { items } });
};

function namesOf({ url = '' }: IncomingMessage): string[] {
  const { pathname, searchParams } = new URL(url, 'http://api.test');
  const listed = searchParams.get('ids') ?? searchParams.get('filter');
  if (listed === null) return [decodeURIComponent(pathname.slice('/works/'.length))];
  return listed.split(',').map((each) => each.replace(/^doi:/, ''));
}

interface ApiClientOptions {
  readonly crossref?: Respond;
  readonly datacite?: Respond;
  /** default: Crossref */
  readonly agencyOf?: (name: string) => string;
}

export async function startApiClient({
  crossref = ok,
  datacite = ok,
  agencyOf = () => 'Crossref',
}: ApiClientOptions = {}) {
  const startApi = (respond: Respond): Promise<DirectoryServer> =>
    startDirectoryServer((request, response) => respond(namesOf(request), response, request));
  const [crossrefApi, dataciteApi] = await Promise.all([crossref, datacite].map(startApi));
  const directoryServer = await startDirectoryServer(({ url = '' }, response) => {
    const names = url.slice('/doiRA/'.length).split(',').map(decodeURIComponent);
    const verdicts = names.map((DOI) => ({ DOI, RA: agencyOf(DOI) }));
    if (url.startsWith('/doiRA/')) send(response, 200, verdicts);
    else send(response, 200, { title: 'by content negotiation' });
  });
  const servers = [directoryServer, crossrefApi, dataciteApi] as DirectoryServer[];
  const { directory, logged } = createProxyAt(directoryServer.url, {
    metadataHosts: new Set(['api.crossref.org']),
    agencyApis: {
      crossrefUrl: servers[1]?.url as URL,
      dataciteUrl: servers[2]?.url as URL,
      plusToken: 'secret',
    },
  });
  onTestFinished(async () => {
    await directory.close();
    await Promise.all(servers.map((server) => server.close()));
  });
  // The agency is known without a Which RA request, so that all names of a test join one list.
  const known = async (name: string) => ({ status: 'FOUND', agency: agencyOf(name) }) as WhichRaAnswer;
  function describeName(name: string, format: MetadataFormat = CSL, options?: DescribeOptions) {
    const lookUp = options ?? { agency: known(name) };
    return directory.describe?.(handleName(name), format, lookUp) as Promise<MetadataAnswer>;
  }
  const targets = (at: number): readonly string[] => servers[at]?.targets ?? [];
  return {
    logged,
    describeName,
    crossrefTargets: () => targets(1),
    directoryTargets: () => targets(0),
  };
}
