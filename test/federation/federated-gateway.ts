// A federated gateway in front of our gateway and other subgraphs, all in-process and without a network.

import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
import { createYoga } from 'graphql-yoga';
import { onTestFinished } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import type { Environment } from '../../src/config.ts';
import type { Directory } from '../../src/directory/directory.ts';
import { createTestGateway, type GraphqlResult } from '../support/gateway.ts';
import { type Other, supergraphOf, urlOf } from './compose.ts';
import { createOtherSubgraph, type OtherSubgraph } from './subgraph.ts';

/** A request to a subgraph, and its result. */
export interface SubgraphRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly result: GraphqlResult<unknown>;
}

export interface FederatedGateway {
  query<Data = Record<string, unknown>>(query: string): Promise<GraphqlResult<Data>>;
  /** the requests to each subgraph, in order; ours is `doi` */
  readonly requests: Readonly<Record<string, readonly SubgraphRequest[]>>;
}

export interface FederatedGatewayOptions {
  readonly directory?: Directory;
  readonly env?: Environment;
  readonly limits?: AppParts['limits'];
  readonly others: Readonly<Partial<Record<Other, OtherSubgraph>>>;
  /** whether our gateway is down */
  readonly isDown?: boolean;
  /** whether the gateway sends all queries of one tick to a subgraph in one request */
  readonly batch?: boolean;
}

type Fetch = (request: Request) => Promise<Response>;

/** Creates a federated gateway. The end of the test closes it. */
export async function createFederatedGateway(options: FederatedGatewayOptions): Promise<FederatedGateway> {
  const { directory, env, limits = {}, others, batch = false, isDown = false } = options;
  const ours = await createTestGateway(directory ? { directory, limits } : { limits }, env);
  onTestFinished(ours.close);
  const names = Object.keys(others) as Other[];
  const fetches = new Map<string, Fetch>([[urlOf('doi'), ours.app.fetch]]);
  for (const name of names) {
    const subgraph = createOtherSubgraph(name, others[name] ?? {});
    fetches.set(urlOf(name), async (request) => subgraph.fetch(request));
  }
  const requests: Record<string, SubgraphRequest[]> = Object.fromEntries(
    ['doi', ...names].map((name) => [name, []]),
  );
  const fetchOf =
    (name: string) =>
    async (url: string, init?: RequestInit): Promise<Response> => {
      const request = new Request(url, init);
      const { query, variables = {} } = (await request.clone().json()) as SubgraphRequest;
      const send = fetches.get(url);
      if (!send) throw new Error(`${url} is none of the subgraphs`);
      if (isDown && name === 'doi') throw new TypeError('fetch failed');
      const response = await send(request);
      const result = (await response.clone().json()) as GraphqlResult<unknown>;
      requests[name]?.push({ query, variables, result });
      return response;
    };
  const gateway = createYoga({
    schema: getStitchedSchemaFromSupergraphSdl({
      supergraphSdl: supergraphOf(names),
      batch,
      httpExecutorOpts: ({ name }) => ({ fetch: fetchOf(name.toLowerCase().replaceAll('_', '-')) as never }),
    }),
    logging: false,
  });
  return {
    requests,
    async query<Data>(query: string) {
      const response = await gateway.fetch('http://federated.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as GraphqlResult<Data>;
    },
  };
}
