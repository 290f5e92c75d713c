// The subgraphs behind the routers, over HTTP: our gateway, and subgraphs of other teams. A test sets the data of the
// other subgraphs.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Other } from '../federation/compose.ts';
import { createOtherSubgraph, type OtherSubgraph, type Subgraph } from '../federation/subgraph.ts';
import { createKeysFile } from '../http/request/clients/api-key-files.ts';
import {
  createFakeDirectory,
  type FakeDirectory,
  type RecordBehaviour,
  urlValue,
} from '../support/fake-directory.ts';
import { type GraphqlError, startGateway } from '../support/gateway.ts';
import { keepLog, type LogLine } from '../support/log-lines.ts';
import type { Request, Router } from './router.ts';

export const OTHERS: readonly Other[] = [
  'agency-contacts',
  'catalog-by-id',
  'catalog-by-name',
  'catalog-by-ref',
  'reviews',
];

interface GraphResponse {
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors: readonly GraphqlError[];
  readonly requests: readonly LogLine[];
}

export interface Graph {
  /** by the name of the subgraph; ours is `doi` */
  readonly urls: Readonly<Record<string, string>>;
  readonly directory: FakeDirectory;
  /** Sets what the subgraph of another team knows. */
  know(name: Other, subgraph: OtherSubgraph): void;
  /** Sets the catalog that joins by `ref`. */
  knowWorks(refs: readonly (string | null)[]): void;
  /** Sends a query through a router. Returns the response, and the lines that our access log has of it. */
  send(router: Router, query: string, request?: Request): Promise<GraphResponse>;
  close(): Promise<void>;
}

/** `records` are the names that differ: all names `10.123/work.N` are known. */
export async function startGraph(records: Readonly<Record<string, RecordBehaviour>>): Promise<Graph> {
  const names = Array.from({ length: 1000 }, (_, index) => `10.123/work.${index}`);
  const directory = createFakeDirectory({
    now: Date.now,
    records: {
      ...Object.fromEntries(names.map((name) => [name, [urlValue(`https://example.org/${name}`)]])),
      ...records,
    },
    agencies: Object.fromEntries(names.map((name) => [name, { status: 'FOUND', agency: 'DataCite' }])),
  });
  const keys = await createKeysFile();
  const log = keepLog();
  const gateway = await startGateway(
    { directory, log: log.log },
    { ACCESS_LOG: 'yes', LOG_LEVEL: 'info', API_KEYS_FILE: keys.path },
  );
  const subgraphs = new Map<string, Subgraph>();
  const others = createServer((request, response) => {
    const subgraph = subgraphs.get((request.url ?? '').slice(1));
    request.url = '/graphql';
    void subgraph?.(request, response);
  });
  await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
  const { port } = others.address() as AddressInfo;
  const know: Graph['know'] = (name, subgraph) =>
    void subgraphs.set(name, createOtherSubgraph(name, subgraph));
  return {
    urls: {
      doi: `${gateway.url}/graphql`,
      ...Object.fromEntries(OTHERS.map((name) => [name, `http://127.0.0.1:${port}/${name}`])),
    },
    directory,
    know,
    knowWorks(refs) {
      const works = refs.map((ref, id) => ({ id, title: `Work ${id}`, doi: ref === null ? null : { ref } }));
      know('catalog-by-ref', { query: { works } });
    },
    async send(router, query, request) {
      log.lines.splice(0);
      const { data, errors = [] } = await router.query(query, request);
      return { data, errors, requests: log.of('request') };
    },
    async close() {
      others.close();
      others.closeAllConnections();
      await gateway.close();
      await keys.remove();
    },
  };
}
