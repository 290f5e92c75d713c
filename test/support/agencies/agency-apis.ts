// The APIs of Crossref and DataCite and the directory that registers their works, as servers on loopback. They are
// strict: they refuse the requests that the real APIs refuse, and note each limit that a client breaks.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, steadyClock } from '../../../src/time.ts';
import { type DirectoryServer, requestedNames, sendJson, startDirectoryServer } from '../directory-server.ts';
import { searchOf } from '../fake-search.ts';
import { randomNumbers, shuffled } from '../random-numbers.ts';
import { type AgencyApi, type AgencyRequest, type Entry, html } from './agency-api.ts';
import type { AgencyWork } from './agency-works.ts';
import { createCrossrefApi } from './crossref-api.ts';
import { createDataCiteApi } from './datacite-api.ts';
import { type Misbehaviour, send, withFault } from './misbehaviours.ts';
import { createRateReferee } from './rate-referee.ts';

/** A request to an API, as the log keeps it. */
export interface AgencyCall {
  readonly api: AgencyApi['name'];
  readonly kind: AgencyRequest['kind'];
  readonly names: readonly string[];
  /** the words of a search */
  readonly words?: string;
  /** the time of the request, in milliseconds of `time` */
  readonly at: number;
  readonly pool: string;
  /** null until the response is sent */
  status: number | null;
}

export interface AgencyApisOptions {
  readonly works: readonly AgencyWork[];
  /** the items that the search of each API finds, instead of `works`, in the form of the API */
  readonly searched?: { readonly crossref?: readonly Entry[]; readonly datacite?: readonly Entry[] };
  readonly seed?: number;
  readonly latencyMs?: number;
  readonly time?: Pick<Clock, 'now' | 'sleep'>;
  /** null: the API responds as documented */
  readonly misbehaves?: (call: AgencyCall) => Misbehaviour | null;
}

export interface AgencyApis {
  /** variables of a gateway that uses these servers */
  readonly env: Readonly<Record<string, string>>;
  readonly directory: DirectoryServer;
  readonly calls: readonly AgencyCall[];
  /** limits that the client broke, and requests that the documentation forbids. A test expects no breach */
  readonly breaches: readonly string[];
  /** requests without a response yet */
  readonly held: number;
  close(): Promise<void>;
}

export async function startAgencyApis(options: AgencyApisOptions): Promise<AgencyApis> {
  const {
    works,
    seed = 1,
    latencyMs = 0,
    time = steadyClock,
    misbehaves = () => null,
    searched = {},
  } = options;
  const random = randomNumbers(seed);
  const calls: AgencyCall[] = [];
  const breaches: string[] = [];
  let held = 0;

  async function hold(response: ServerResponse, respond: () => void): Promise<void> {
    held += 1;
    response.once('close', () => {
      held -= 1;
    });
    if (latencyMs > 0) await time.sleep(latencyMs);
    if (!response.destroyed) respond();
  }

  function startApi(api: AgencyApi): Promise<DirectoryServer> {
    const referee = createRateReferee(() => time.now());
    return startDirectoryServer(({ url = '', headers }, response) => {
      const request = api.read(url);
      const { kind, names, words, refusal } = request;
      const limit = api.limit(kind, headers);
      const call: AgencyCall = {
        ...{ api: api.name, kind, names, ...(words !== undefined && { words }) },
        ...{ at: time.now(), pool: limit.pool, status: null },
      };
      calls.push(call);
      const broken = referee.begin(kind, limit);
      if (broken !== null) breaches.push(`${api.name} ${broken}`);
      if (refusal?.isAvoidable) breaches.push(`${api.name} ${refusal.response.status} ${url}`);
      const fault = broken === null ? misbehaves(call) : null;
      const exchange = { request, api };
      let end = (): void => {
        end = () => {};
        referee.end(limit);
      };
      response.once('close', () => end());
      void hold(response, () => {
        const entries = shuffled(api.entries(request), random);
        const at = Math.floor(random() * entries.length);
        const honest =
          broken === null
            ? (refusal?.response ?? api.respond(request, withFault(entries, fault, at, exchange)))
            : html(429, broken);
        // The client may send its next request before this response is closed.
        if (fault !== 'HANG') end();
        const withHeaders = { ...honest, headers: { ...limit.headers, ...honest.headers } };
        call.status = send(response, withHeaders, fault, exchange);
      });
    });
  }

  const byName = new Map(works.map((work) => [work.name.toLowerCase(), work]));
  const directory = await startDirectoryServer(
    (request, response) => void hold(response, () => respondAsDirectory(request, response, byName)),
  );
  const crossref = await startApi(
    createCrossrefApi(works, undefined, searched.crossref && searchOf(searched.crossref)),
  );
  const datacite = await startApi(createDataCiteApi(works, searched.datacite && searchOf(searched.datacite)));
  return {
    env: {
      DOI_DIRECTORY_URL: directory.url.origin,
      METADATA_API: 'yes',
      CROSSREF_API_URL: crossref.url.origin,
      DATACITE_API_URL: datacite.url.origin,
    },
    directory,
    calls,
    breaches,
    get held() {
      return held;
    },
    async close() {
      await Promise.all([directory, crossref, datacite].map((server) => server.close()));
    },
  };
}

/** Agencies and records of all works, and content negotiation without a redirect. */
function respondAsDirectory(
  request: IncomingMessage,
  response: ServerResponse,
  works: ReadonlyMap<string, AgencyWork>,
): void {
  const { url = '' } = request;
  const workOf = (name: string) => works.get(name.toLowerCase());
  if (url.startsWith('/doiRA/')) {
    const { names } = requestedNames(request);
    const agencies = names.map((DOI) => {
      const work = workOf(DOI);
      return work ? { DOI, RA: work.agency } : { DOI, status: 'DOI does not exist' };
    });
    sendJson(response, 200, agencies);
  } else if (url.startsWith('/api/handles/')) {
    const [handle = ''] = requestedNames(request).names;
    const work = workOf(handle);
    const data = { format: 'string', value: `https://example.org/${work?.number}` };
    const values = [{ index: 1, type: 'URL', data, ttl: 86_400, timestamp: '2026-01-01T00:00:00Z' }];
    if (work) sendJson(response, 200, { responseCode: 1, handle, values });
    else sendJson(response, 404, { responseCode: 100, handle });
  } else {
    const name = decodeURIComponent(url.slice(1));
    const title = workOf(name)?.title ?? null;
    if (title === null) sendJson(response, 404, {});
    else sendJson(response, 200, { DOI: name, title });
  }
}
